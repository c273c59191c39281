import type { IDataObject } from 'n8n-workflow';

import { dateTime, integer, object, text, textList } from '../../../engine/area';
import { inputHint } from '../../../engine/values/inputRemarks';
import { newYork, operation, readField, readForm, readSaved } from './readForm';

test('the rows are named, each once, up to a length', () => {
	const omittedFields = ['Value › User ID', 'Value › User ID'];
	const none = { omittedFields: [], datesWithoutTime: [], reversedDates: [], unknownNames: [] };
	const remarks = { ...none, omittedFields };
	const given = new Map(Array.from({ length: 40 }, (_, n) => [n * 2 + 1, remarks]));
	expect(inputHint(new Map([[1, remarks]]), 2, 'UTC')).toBe(
		"Left out because empty: 'Value › User ID' (row 2).",
	);
	expect(inputHint(given, 80, 'UTC')).toMatch(/^Left .* \(rows 2, 4, 6, 8, .* and \d+ more\)\.$/);
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
		[
			'entries gave nothing',
			{ people: [undefined, 'A', null], path: { entries: [{ path: 'a', no: null }] } },
			['Path › No', 'People › Entry'],
		],
		['an entry of an entry gave nothing', { people: [['A', null]] }, ['People › Entry']],
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

	test.each([
		[['A', null], ['A'], ['People › Entry']],
		[[null, null], undefined, ['People']],
		[[], [], []],
	])('entries of a list in a record that have no value: %j', (people, sent, expected) => {
		const json = { name: 'A', people };
		for (const form of [{ specifyFields: 'inputItem' }, { specifyFields: 'json', json }]) {
			const { values, problems, remarks } = readForm(described, form, newYork, json);
			expect([values.body.people, problems, remarks.omittedFields]).toEqual([sent, [], expected]);
		}
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
});

describe('an end before its beginning is told, and sent', () => {
	const described = operation([
		dateTime('fromDate'),
		dateTime('toDate', { startField: 'fromDate' }),
	]);

	test.each([
		['iso', '2026-03-01', ['X']],
		['iso', ' 2026-03-01 ', ['X']],
		['iso', '2026-03-01T00:00', []],
		['monthFirst', '12/1/2026', ['X']],
		['monthFirst', '12/1/2026 0:00', []],
		['excel', 46357, ['X']],
		['excel', 46357.5, []],
	])('%s: of %p the time is told to be midnight', (datesInRows, raw, expected) => {
		const { remarks } = readField(dateTime('x'), raw, newYork, { datesInRows });
		expect(remarks.datesWithoutTime).toEqual(expected);
	});

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
