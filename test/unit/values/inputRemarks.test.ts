import type { IDataObject } from 'n8n-workflow';

import { group, integer, object, objects, text, textList } from '../../../engine/area';
import { inputHint, type InputRemarks } from '../../../engine/values/inputRemarks';
import { didYouMean } from '../../../engine/values/didYouMean';
import { newYork, operation, readForm } from './readForm';

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
		'Not sent: column station (did you mean stationNumber?), which is no field of this operation.',
	],
	[
		'unknown names, each once, after the fields',
		[
			unknown('from', 'station'),
			{ ...unknown('station'), omittedFields: nothing('Name').omittedFields },
		],
		2,
		"1 of 2 items: 'Name' was left out, its expression gave nothing. " +
			'Not sent: columns from (did you mean fromDate?), station (did you mean stationNumber?), which are no fields of this operation.',
	],
])('%s', (_, given, items, text) => {
	expect(inputHint(given, items)).toBe(text);
});

test('the hint stays short, whatever the items hold', () => {
	const names = Array.from({ length: 5000 }, (_, n) => `${n}${'x'.repeat(500)}`);
	const hint = inputHint(
		names.map((name) => unknown(name)),
		5000,
	)!;
	expect(hint.length).toBeLessThan(1500);
	expect(hint).toMatch(
		/^Not sent: columns 0x+…, 1x+…, .* and 4990 more, which are no fields of this operation\.$/,
	);
});

describe('what an item gave and is not sent', () => {
	const described = operation(
		[text('name'), textList('people'), objects('path', [text('path'), integer('no')])],
		{ etag: true, request: 'GET /things' },
	);
	const fieldsLeftOut = (form: Record<string, unknown>, json: IDataObject = {}) =>
		readForm(described, form, newYork, json).remarks.omittedFields;

	test.each([
		['nothing was added', {}, []],
		[
			'what was added has a value',
			{ name: 'A', people: ['B'], path: { entries: [{ no: 0 }] } },
			[],
		],
		['expressions gave nothing', { name: undefined, people: null }, ['Name', 'People']],
		[
			'entries gave nothing',
			{ people: [undefined, 'A', null], path: { entries: [{ path: 'a', no: null }] } },
			['Path › No', 'People › Entry'],
		],
		['an entry of an entry gave nothing', { people: [['A', null]] }, ['People › Entry']],
		['no entry gave anything', { people: [undefined] }, ['People']],
		["an expression of an entry gave ''", { path: { entries: [{ path: '' }] } }, ['Path › Path']],
	])('%s', (_, fields, labels) => {
		expect(fieldsLeftOut({ fields })).toEqual(
			expect.arrayContaining(labels.map((label) => ({ label, reason: 'nothing' }))),
		);
		expect(fieldsLeftOut({ fields })).toHaveLength(labels.length);
	});

	test('undefined inside an object that an expression gave', () => {
		const { values, remarks, problems } = readForm(operation([object('dAgency.05')]), {
			fields: { dAgency_05: { a: 1, b: undefined, c: { d: undefined } } },
		});
		expect(problems).toEqual([]);
		expect(values.body).toEqual({ 'dAgency.05': { a: 1, c: {} } });
		expect(remarks.omittedFields).toEqual([
			{ label: 'D Agency 05 › b', reason: 'nothing' },
			{ label: 'D Agency 05 › d', reason: 'nothing' },
		]);
	});

	test('null of a record', () => {
		const record = { name: null, people: ['A'], path: [{ no: null, path: 'a' }] };
		const expected = [
			{ label: 'Name', reason: 'null' },
			{ label: 'Path › No', reason: 'null' },
		];
		const sorted = (form: Record<string, unknown>, json?: IDataObject) =>
			fieldsLeftOut(form, json).toSorted((a, b) => a.label.localeCompare(b.label));
		expect(sorted({ specifyFields: 'json', json: record })).toEqual(expected);
		expect(sorted({ specifyFields: 'inputItem' }, record)).toEqual(expected);
	});

	test('a group that is null, and one that is empty', () => {
		const grouped = operation([text('name'), group('model', [text('status')])]);
		const read = (model: unknown) => {
			const json = { name: 'A', model } as IDataObject;
			const { values, remarks } = readForm(grouped, { specifyFields: 'inputItem' }, newYork, json);
			return { body: values.body, omittedFields: remarks.omittedFields };
		};
		expect(read(null)).toEqual({
			body: { name: 'A' },
			omittedFields: [{ label: 'Model', reason: 'null' }],
		});
		expect(read({})).toEqual({ body: { name: 'A', model: {} }, omittedFields: [] });
		expect(read({ status: null })).toEqual({
			body: { name: 'A' },
			omittedFields: [{ label: 'Model › Status', reason: 'null' }],
		});
	});

	test('an empty list of a record is sent', () => {
		const { values } = readForm(described, { specifyFields: 'json', json: { path: [] } });
		expect(values.body).toEqual({ path: [] });
	});

	test('names of the input item that match nothing', () => {
		const json = { name: 'A', hue: 1, path: [{ path: 'a', tint: 2 }, { tint: 3 }] };
		const { remarks } = readForm(described, { specifyFields: 'inputItem' }, newYork, json);
		expect(remarks.unknownNames.map(({ name }) => name)).toEqual([
			'hue',
			'path[].tint',
			'path[].tint',
		]);
		expect(
			readForm(described, { fields: { name: 'A' } }, newYork, json).remarks.unknownNames,
		).toEqual([]);
	});
});
