// The columns that expressions read, as they are written.
import { columnReference, columnsIn } from '../../../engine/values/expressionColumns';

test.each([
	['={{ $json.rowID }}', ['rowID']],
	['={{ $json["Start Date"] }}', ['Start Date']],
	["={{ $json['a'] + $json.b?.c }}", ['a', 'b']],
	['={{ $input.item.json.start }} {{ $json?.end }}', ['start', 'end']],
	['={{ $("Sheet").item.json.row }}', []],
	['$jsonx.row', []],
	['=plain', []],
])('%s', (text, columns) => {
	expect(columnsIn(text)).toEqual(columns);
	expect(columnsIn(JSON.stringify({ text }))).toEqual(columns);
});

test.each([
	['={{ $json.start }}', '$json.start'],
	['={{ $json["Start Date"].trim() }}', '$json["Start Date"]'],
	['={{ $json.day }} {{ $json.time }}', undefined],
	['={{ $json.a ?? $json.a }}', '$json.a'],
	['3/1/26', undefined],
	[undefined, undefined],
])('%s is from %s', (saved, reference) => {
	expect(columnReference(saved)).toBe(reference);
});
