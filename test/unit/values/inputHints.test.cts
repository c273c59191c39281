// What is told of an item's input, where test/engine/values/inputHints.test.cts does not show it.
import type { IDataObject } from 'n8n-workflow';

import { dateTime, group, integer, objects, text } from '../../../engine/area';
import { inputHint } from '../../../engine/values/inputHints';
import { operationWith } from '../operation.cts';
import { newYork, readForm, readSaved } from './readForm.cts';

test('the rows are named, each once, up to a length', () => {
	const omittedFields = ['Value › User ID', 'Value › User ID'];
	const none = { omittedFields: [], localTimes: [], reversedDates: [], unknownNames: [] };
	const inputHints = { ...none, omittedFields };
	const given = new Map(Array.from({ length: 40 }, (_, n) => [n * 2 + 1, inputHints]));
	expect(inputHint(new Map([[1, inputHints]]), 2, 'UTC')).toBe(
		"Left out because empty: 'Value › User ID' (row 2).",
	);
	expect(inputHint(given, 80, 'UTC')).toMatch(/^Left .* \(rows 2, 4, 6, 8, .* and \d+ more\)\.$/);
});

test.each<[IDataObject, IDataObject, string[]]>([
	[{ model: null }, {}, ['Model']],
	[{ model: {} }, { model: {} }, []],
	[{ path: [] }, { path: [] }, []],
	[{ model: { status: null } }, {}, ['Model › Status']],
	[{ path: [{ no: null, path: 'a' }] }, { path: [{ path: 'a' }] }, ['Path 1 › No']],
	[{ path: [{ no: null }, { path: 'a' }] }, { path: [{ path: 'a' }] }, ['Path 1 › No']],
	[
		{ path: [{ no: '' }, { path: null, no: null }] },
		{},
		['Path 1 › No', 'Path 2 › Path', 'Path 2 › No'],
	],
	[{ path: [{}] }, { path: [{}] }, []],
])('of a record with %j, %j is sent', (given, sent, omittedFields) => {
	const model = group('model', { fields: [text('status')] });
	const path = objects('path', { fields: [text('path'), integer('no')] });
	const described = operationWith({ body: [text('name'), model, path] });
	const form = { specifyFields: 'inputItem' };
	const { values, inputHints } = readForm(described, form, newYork, { name: 'A', ...given });
	expect([values.body, inputHints.omittedFields]).toEqual([{ name: 'A', ...sent }, omittedFields]);
});

test.each([
	['2026-03-02T07:00:00-05:00', '2026-03-02T11:59:00Z', ['To Date']],
	['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:00Z', []],
	['2026-03-01', '', []],
	['', '2026-03-01', []],
])('of the period from "%s" to "%s", it is told: %j', (fromDate, toDate, reversedDates) => {
	const end = dateTime('toDate', { startField: 'fromDate' });
	const described = operationWith({ body: [text('name'), dateTime('fromDate'), end] });
	const fields = { name: 'B shift', fromDate, toDate };
	const { inputHints } = readSaved(described, { fields }, {});
	expect(inputHints).toMatchObject({ reversedDates });
});
