// Single values of every type: the valid ones, and the messages for invalid ones.
import {
	address,
	boolean,
	choice,
	choices,
	dateTime,
	header,
	integer,
	number,
	object,
	objectList,
	text,
	textList,
	uuid,
	type Field,
} from '../../../engine/area';
import { readField } from './readForm.cts';

/** An object with this number of levels. */
function nested(levels: number): object {
	let value = {};
	for (let level = 0; level < levels; level++) value = { value };
	return value;
}

const holdingItself = {};
Object.assign(holdingItself, { self: holdingItself });

const path = text('x', { isPath: true, example: '/licenses/101' });
const first = [{ value: 'a', name: 'First' }];

test.each<[Field, unknown, unknown]>([
	[text('x'), 4, '4'],
	...['Ã in São', '«IRMû', 'Â, â', '# 4', '#'].map((one): [Field, unknown, unknown] => [
		text('x'),
		one,
		one,
	]),
	[text('x', { choices: first }), true, 'true'],
	[integer('x'), -3, -3],
	[number('x'), '1.5', 1.5],
	[integer('x'), '9007199254740991', 9_007_199_254_740_991],
	[integer('x'), '15.0', 15],
	[number('x'), '0.1000000000000000055', 0.1],
	[boolean('x'), 'TRUE', true],
	[boolean('x'), ' False ', false],
	[boolean('x'), 'Yes', true],
	[boolean('x'), ' n', false],
	[header('x'), 7, '7'],
	[header('x'), ' "v 1"\t', '"v 1"'],
	// Text that can only be one entry; and the entries of a list, whatever they contain.
	...['Engine 4/7', 'A|B', ' 4 - 7', 'A\tB', 'St. Mary (north)'].map(
		(entry): [Field, unknown, unknown] => [textList('x'), [entry, ''], [entry.trim()]],
	),
	[textList('x'), [['A; B', '"C"\nD']], ['A; B', '"C"\nD']],
	[textList('x'), [['Jones, A.']], ['Jones, A.']],
	[textList('x'), ['A; B', ' 7'], ['A; B', '7']],
	[textList('x'), ['{A', ['[B']], ['{A', '[B']],
	[textList('x'), ['A', [1, 'B']], ['A', '1', 'B']],
	[objectList('x'), '[{"a": "a: {"}, {"a": 2}]', [{ a: 'a: {' }, { a: 2 }]],
	[uuid('x'), '3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
	[text('x'), new Date('2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z'],
	[number('x'), '.5', 0.5],
	[number('x'), '-.25', -0.25],
	// A name, a room, a sentence: values that only look like missing ones.
	[text('x'), '#12 HOSE!', '#12 HOSE!'],
	[text('x'), 'Null Island: undefined at #4!', 'Null Island: undefined at #4!'],
	[text('x'), 'St. Mary’s, Peña Ñ', 'St. Mary’s, Peña Ñ'],
	[text('x'), '4E2', '4E2'],
	[text('x'), 'One\n\tTwo\r\n', 'One\n\tTwo\r\n'],
	[path, '/licenses/null-island', '/licenses/null-island'],
	[address('x'), '/licenses/undefined-term', '/licenses/undefined-term'],
	[choice('x', { choices: first }), 'First', 'a'],
	[choices('x', { choices: first }), ['a', 'First'], ['a', 'a']],
])('%j accepts %p, which fits', (field, raw, value) => {
	expect(readField(field, raw)).toMatchObject({ value, problems: [] });
});

describe('values that do not fit are refused with what is allowed', () => {
	test.each<[Field, unknown, RegExp]>([
		[text('x'), 2 ** 53, /must be text, or at most .*digits/],
		[text('x'), NaN, /NaN.*text/],
		[text('x'), 'Invalid DateTime', /must be a value: an expression gave nothing/],
		[text('x'), 'Due Invalid DateTime', /must be a value: an expression gave/],
		[text('x'), 'Crew: [object Object]', /must be a value: an expression gave/],
		[text('x'), 'undefined', /must be a value: an expression gave/],
		[text('x'), '1.23457E+11', /must have all its digits/],
		[text('x'), 'St. Mary\u0092s', /must have undamaged letters: .*UTF-8/],
		[text('x'), 'PeÃ±asco, 72 Â°F', /must have undamaged letters: .*UTF-8/],
		[text('x'), '########', /must not be a spreadsheet's error/],
		[text('x'), 'Pe\ufffda', /must have undamaged letters: .*UTF-8/],
		[text('x'), 'one\u000btwo', /must have line breaks instead of vertical tabs/],
		[text('x'), 'one\u000b', /must have line breaks instead of vertical tabs/],
		[text('x'), 'one\ftwo', /must have line breaks instead of .* page breaks/],
		[text('x'), 'o\0n\0e\0', /must have no NUL: .*UTF-16/],
		[text('x'), 'one\u0085two', /must have no NEL: .*mainframe.*UTF-8/],
		[text('x'), 'one\u001dtwo', /must have no control character/],
		[textList('x'), ['Lee', 'St. Mary\u0092s'], /must have undamaged letters/],
		...['#SPILL!', '#CALC!', '#BUSY!', '#GETTING_DATA', '#BLOCKED!', '#DIV/0!', '#N/A'].map(
			(error): [Field, unknown, RegExp] => [
				text('x'),
				error,
				/must not be a spreadsheet's error, or a cell that is too narrow or still loading$/,
			],
		),
		[header('x'), '#SPILL!', /a spreadsheet's error/],
		[header('x'), 'undefined', /must be a value: an expression gave/],
		[path, '/licenses/', /such as \/licenses\/101 or .*{{ \$json.ID }}, without an empty part$/],
		[path, '/licenses/undefined', /must be a value: an expression gave/],
		[path, 'null', /must be a value: an expression gave/],
		[path, '/licenses/#N/A', /a spreadsheet's error/],
		[path, '/licenses/1.23457E+11', /must have all its digits/],
		[path, '1.23457E+11', /must have all its digits/],
		[address('x'), '/licenses/NaN', /must have a value as part 2, which is NaN/],
		[object('x'), '[object Object] ', /must be a value: an expression gave/],
		// An empty line of the form, or an expression that gives nothing, does not hide the entries of another.
		...['4,', 'Jones, A.', '4;7', 'A\nB', 'A\rB', '["4", "7"]', '[', '{North,South}', '"A"'].map(
			(cell): [Field, unknown, RegExp] => [
				textList('x'),
				[cell, '', null, []],
				/must be a list: use {{ .* }} if it is several entries or {{ \[\$json\.x\] }} if it is one/,
			],
		),
		[textList('x'), '[object Object]', /each entry must be a value: an expression gave/],
		[integer('x'), '1.23457E+11', /whole number/],
		[object('x'), { when: new Date('x') }, /only what JSON can hold/],
		[object('x'), { miles: 5, read: undefined }, /must have a value for read/],
		[text('x'), 10n, /a bigint, but must be text/],
		[integer('x'), ['5'], /whole number/],
		[integer('x'), 2 ** 53, /whole number.*9007199254740991.*digits/],
		[integer('x'), '9007199254740993', /"9007199254740993".*whole number.*digits/],
		[integer('x', { min: 1, max: 9 }), 10, /10.*whole number from 1 to 9/],
		[number('x'), 2 ** 53, /number.*digits/],
		[number('x'), '0x10', /number/],
		[textList('x'), ['A', [['B']]], /must be a list in which each entry must be text$/],
		[integer('x', { min: 1 }), 0, /1 or more/],
		[integer('x'), '-1,250', /must be a whole number without thousands separators$/],
		[number('x'), '1,250.50', /must be a number without thousands separators$/],
		[number('x'), '12,50', /must be a number$/],
		[objectList('x'), '[{"a":1}', /must be valid JSON: Expected ',' or '\]' after array element/],
		[object('x'), '{"a":1,}', /must be valid JSON: .*position 7/],
		[boolean('x'), 1, /true or false/],
		...[text('x'), text('x', { isDate: true }), textList('x'), header('x'), integer('x')].map(
			(one): [Field, unknown, RegExp] => [one, false, /^is false, but must not be true or false$/],
		),
		[textList('x'), ['Lee', false], /must not be true or false/],
		[textList('x'), [[[4, 'North']]], /each entry must be text$/],
		[textList('x'), [Object.entries({ 4: 'North', 7: 'South' })], /each entry must be text$/],
		[header('x'), new Date(0), /a date \(1970-01-01T00:00:00.000Z\).*text or a number/],
		[header('x'), 'Ä', /ASCII/],
		[header('x'), 'a\n', /one line/],
		[header('x'), '\u00a0a', /ASCII/],
		[header('x'), 2 ** 53, /must be text, or at most .*digits/],
		[object('x'), { a: new Map([[1, 2]]), b: 'good' }, /JSON/],
		[object('x'), { a: NaN, b: { c: [1] } }, /JSON/],
		[object('x'), { a: [undefined] }, /JSON/],
		[
			object('x', { mayBeList: true }),
			'['.repeat(600) + ']'.repeat(600),
			/must have at most 500 levels of lists and objects$/,
		],
		[object('x'), JSON.stringify(nested(600)), /at most 500 levels/],
		[object('x'), new Date(0), /must be one JSON object, in { }$/],
		[object('x'), nested(30_000), /an object, but.*JSON/],
		[object('x'), holdingItself, /an object, but.*JSON/],
		[object('x'), { a: 2 ** 53 }, /JSON.*at most 9007199254740991/],
		[objectList('x'), [{}, 1], /list of objects/],
		[choices('x', { choices: first, default: [] }), ['a', 'b'], /must be some of a \(First\)$/],
		[choice('x', { choices: first }), 'none', /must be one of a \(First\)$/],
		[
			choice('x', { choices: first, noDataExpression: true }),
			'First',
			/must be one of a \(First\)/,
		],
		[uuid('x'), '3f2504e0', /UUID/],
		[dateTime('x'), '07:00', /date and time/],
		[dateTime('x'), '2026-W10-1T07:00', /date and time/],
		[dateTime('x'), '20260301T070000', /date and time/],
		[dateTime('x'), new Date('x'), /invalid date.*date and time/],
	])('%j refuses %p', (field, raw, message) => {
		const { problems, given } = readField(field, raw);
		expect(given).toBe(false);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatchObject({ label: 'X', text: expect.stringMatching(message) });
	});

	// A webhook's caller decides how long the text is, and each of these took seconds to read.
	const many = 80_000;
	test.each<[Field, string]>([
		[integer('x'), `1.${'0'.repeat(many)}1`],
		[header('x'), `"v1${' '.repeat(many)}"`],
		[dateTime('x'), `2026-03-01T${'+05'.repeat(many)}`],
		[header('x'), 'a'.repeat(8001)],
	])('%j: an endless text is refused for its length', (field, raw) => {
		expect(readField(field, raw).problems).toMatchObject([
			{ text: expect.stringMatching(/^is .{1,100}, but must have at most \d+ characters$/) },
		]);
	});

	test('a text of the maximum length is accepted, and a long value is quoted in part', () => {
		expect(readField(header('x'), 'e'.repeat(8000)).problems).toEqual([]);
		expect(readField(integer('x'), 'y'.repeat(500)).problems[0]!.text.length).toBeLessThan(150);
	});
});
