import type { IDataObject } from 'n8n-workflow';

import { dateTime, integer, object, text, textList } from '../../../engine/area';
import { inputHint, type InputRemarks } from '../../../engine/values/inputRemarks';
import { newYork, operation, readForm, readSaved } from './readForm';

const nothing: InputRemarks = { omittedFields: [], reversedDates: [], unknownNames: [] };
const omitted = (...omittedFields: string[]) => ({ ...nothing, omittedFields });
const unknown = (...unknownNames: string[]) => ({ ...nothing, unknownNames });
const reversed = { ...nothing, reversedDates: ['To Date'] };

test.each<[string, InputRemarks[], number, string | undefined]>([
	['no items', [], 0, undefined],
	['nothing to say', [nothing, nothing], 2, undefined],
	['the only item', [omitted('From Date')], 1, "Left out because empty: 'From Date'."],
	[
		'some of the items',
		[omitted('From Date', 'Name'), nothing, omitted('Name', 'From Date'), omitted('Name')],
		7,
		"Left out because empty: 'From Date' (2 of 7 items), 'Name' (3 of 7 items).",
	],
	[
		'entries of a list count once an item',
		[omitted('Value › User ID', 'Value › User ID'), nothing],
		2,
		"Left out because empty: 'Value › User ID' (1 of 2 items).",
	],
	[
		'all kinds, a sentence each',
		[reversed, { ...reversed, omittedFields: ['Name'] }, unknown('from', 'station')],
		3,
		"Left out because empty: 'Name' (1 of 3 items). " +
			"Sent although the end is before the start: 'To Date' (2 of 3 items). " +
			"Not sent because this operation has no such field: 'from' (1 of 3 items), 'station' (1 of 3 items).",
	],
])('%s', (_, given, items, text) => {
	expect(inputHint(given, items)).toBe(text);
});

test('the hint stays short, whatever the items hold', () => {
	const names = Array.from({ length: 5000 }, (_, n) => `${n}${'x'.repeat(500)}`);
	const hint = inputHint([unknown(...names)], 1)!;
	expect(hint.length).toBeLessThan(1000);
	expect(hint).toMatch(/: '0x+ …', '1x+ …', .* and 4992 more\.$/);
});

describe('what an item gave and is not sent', () => {
	const described = operation(
		[
			text('name'),
			textList('people'),
			{ name: 'path', type: 'objects', fields: [text('path'), integer('no')] },
		],
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
		expect(fieldsLeftOut({ fields })).toEqual(expect.arrayContaining(labels));
		expect(fieldsLeftOut({ fields })).toHaveLength(labels.length);
	});

	test('undefined inside an object that an expression gave', () => {
		const { values, remarks, problems } = readForm(operation([object('dAgency.05')]), {
			fields: { dAgency_05: { a: 1, b: undefined, c: { d: undefined } } },
		});
		expect(problems).toEqual([]);
		expect(values.body).toEqual({ 'dAgency.05': { a: 1, c: {} } });
		expect(remarks.omittedFields).toEqual(['D Agency 05 › b', 'D Agency 05 › d']);
	});

	test('null of a record', () => {
		const record = { name: null, people: ['A'], path: [{ no: null, path: 'a' }] };
		const expected = ['Name', 'Path › No'];
		expect(fieldsLeftOut({ specifyFields: 'json', json: record })).toEqual(expected);
		expect(fieldsLeftOut({ specifyFields: 'inputItem' }, record)).toEqual(expected);
	});

	test('a group that is null, and one that is empty', () => {
		const grouped = operation([
			text('name'),
			{ name: 'model', type: 'group', fields: [text('status')] },
		]);
		const read = (model: unknown) => {
			const json = { name: 'A', model } as IDataObject;
			const { values, remarks } = readForm(grouped, { specifyFields: 'inputItem' }, newYork, json);
			return { body: values.body, omittedFields: remarks.omittedFields };
		};
		expect(read(null)).toEqual({
			body: { name: 'A' },
			omittedFields: ['Model'],
		});
		expect(read({})).toEqual({ body: { name: 'A', model: {} }, omittedFields: [] });
		expect(read({ status: null })).toEqual({
			body: { name: 'A' },
			omittedFields: ['Model › Status'],
		});
	});

	test('an empty list of a record is sent', () => {
		const { values } = readForm(described, { specifyFields: 'json', json: { path: [] } });
		expect(values.body).toEqual({ path: [] });
	});

	test('names of the input item that match nothing', () => {
		const json = { name: 'A', hue: 1, path: [{ path: 'a', tint: 2 }, { tint: 3 }] };
		const unknownNamesOf = (form: Record<string, unknown>) =>
			readForm(described, form, newYork, json).remarks.unknownNames;
		expect(unknownNamesOf({ specifyFields: 'inputItem' })).toEqual([
			'hue',
			'path.tint',
			'path.tint',
		]);
		expect(unknownNamesOf({ fields: { name: 'A' } })).toEqual([]);
	});
});

describe('an end before its beginning is told, and sent', () => {
	const described = operation([
		dateTime('fromDate'),
		dateTime('toDate', { startField: 'fromDate' }),
	]);

	test.each([
		['2026-03-02T07:00:00', '2026-03-01T07:00:00', ['To Date']],
		['2026-03-02T07:00:00-05:00', '2026-03-02T11:59:00Z', ['To Date']],
		['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:00Z', []],
		['2026-03-01', '2026-03-02', []],
		['2026-03-01', undefined, []],
		[undefined, '2026-03-01', []],
	])('%s to %s', (fromDate, toDate, expected) => {
		const { problems, remarks } = readSaved(described, { fields: { fromDate, toDate } }, {});
		expect(problems).toEqual([]);
		expect(remarks.reversedDates).toEqual(expected);
	});
});
