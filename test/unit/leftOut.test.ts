import { inputHint, type InputRemarks } from '../../engine/values/inputRemarks';
import { didYouMean } from '../../engine/values/didYouMean';

const known = ['name', 'fromDate', 'toDate', 'stationNumber'];
const nothing = (...labels: string[]): InputRemarks => ({
	omittedFields: labels.map((label) => ({ label, reason: 'nothing' })),
	unknownNames: [],
	reversedDates: [],
});
const unknown = (...names: string[]): InputRemarks => ({
	omittedFields: [],
	unknownNames: names.map((name) => ({ name, suggestion: didYouMean(name, known) })),
	reversedDates: [],
});
const reversed: InputRemarks = {
	omittedFields: [],
	unknownNames: [],
	reversedDates: [{ endLabel: 'To Date', startLabel: 'From Date' }],
};

test.each<[string, InputRemarks[], number, string | undefined]>([
	['no items', [], 0, undefined],
	['nothing left out', [nothing(), unknown()], 2, undefined],
	[
		'the only item',
		[nothing('From Date')],
		1,
		"'From Date' was left out, its expression gave nothing.",
	],
	[
		'some of the items',
		[nothing('From Date'), nothing(), nothing('From Date'), nothing('From Date')],
		7,
		"3 of 7 items: 'From Date' was left out, its expression gave nothing.",
	],
	[
		'fields of the same items in one sentence',
		[nothing('From Date', 'To Date'), nothing('To Date', 'From Date'), nothing('Name')],
		5,
		"2 of 5 items: 'From Date', 'To Date' were left out, their expressions gave nothing. " +
			"1 of 5 items: 'Name' was left out, its expression gave nothing.",
	],
	[
		'entries of a list count once an item',
		[nothing('Value › User ID', 'Value › User ID')],
		2,
		"1 of 2 items: 'Value › User ID' was left out, its expression gave nothing.",
	],
	[
		'other reasons',
		[
			{
				omittedFields: [
					{ label: 'ETag', reason: 'empty' },
					{ label: 'To Date', reason: 'null' },
				],
				unknownNames: [],
				reversedDates: [],
			},
		],
		1,
		"'To Date' was left out, its value is null. 'ETag' was left out, its value is empty.",
	],
	[
		'an end before its beginning, beside what was left out',
		[reversed, { ...reversed, omittedFields: nothing('Name').omittedFields }, nothing()],
		3,
		"1 of 3 items: 'Name' was left out, its expression gave nothing. " +
			"2 of 3 items: 'To Date' is before 'From Date'; it was sent like this.",
	],
	[
		'one unknown name',
		[unknown('station')],
		1,
		'Input field station (did you mean stationNumber?) matches no field; known: name, fromDate, toDate, stationNumber.',
	],
	[
		'unknown names, each once, after the fields',
		[
			unknown('from', 'station'),
			{ ...unknown('station'), omittedFields: nothing('Name').omittedFields },
		],
		2,
		"1 of 2 items: 'Name' was left out, its expression gave nothing. " +
			'Input fields from (did you mean fromDate?), station (did you mean stationNumber?) match no field; known: name, fromDate, toDate, stationNumber.',
	],
])('%s', (_, given, items, text) => {
	expect(inputHint(given, items, known)).toBe(text);
});

test('the hint stays short, whatever the items hold', () => {
	const names = Array.from({ length: 5000 }, (_, n) => `${n}${'x'.repeat(500)}`);
	const hint = inputHint(
		names.map((name) => unknown(name)),
		5000,
		Array.from({ length: 100 }, (_, n) => `field${n}`),
	)!;
	expect(hint.length).toBeLessThan(1500);
	expect(hint).toMatch(
		/^Input fields 0x+…, 1x+…, .* and 4990 more match no field; known: field0, /,
	);
	expect(hint).toMatch(/, field19 and 80 more\.$/);
});
