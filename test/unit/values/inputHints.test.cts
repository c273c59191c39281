// Hints about an item's input that test/engine/values/inputHints.test.cts does not cover.
import type { IDataObject } from 'n8n-workflow';

import { dateTime, group, integer, objects, text } from '../../../engine/area';
import { inputHint } from '../../../engine/values/inputHints';
import { operationWith } from '../operation.cts';
import { newYork, readForm, readSaved } from './readForm.cts';

test('rows are named once each, up to a maximum length', () => {
	const omittedFields = ['Value › User ID', 'Value › User ID'];
	const inputHints = { omittedFields };
	const given = Array.from({ length: 40 }, (_, n) => ({ itemIndex: n * 2 + 1, inputHints }));
	expect(inputHint([{ itemIndex: 1, inputHints }], 2, 'UTC')).toBe(
		"Sent without these fields, which are empty: 'Value › User ID' (row 2).",
	);
	expect(inputHint(given, 80, 'UTC')).toMatch(
		/^Sent without .*: .* \(rows 2, 4, 6, 8, .* and \d+ more\)\.$/,
	);
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
])('a record with %j is sent with %j', (given, sent, omittedFields) => {
	const model = group('model', { fields: [text('status')] });
	const path = objects('path', { fields: [text('path'), integer('no')] });
	const described = operationWith({ body: [text('name'), model, path] });
	const form = { specifyFields: 'inputItem' };
	const { values, inputHints } = readForm(described, form, newYork, { name: 'A', ...given });
	expect([values.body, inputHints.omittedFields ?? []]).toEqual([
		{ name: 'A', ...sent },
		omittedFields,
	]);
});

test.each([
	['2026-03-02T07:00:00-05:00', '2026-03-02T11:59:00Z', true, true],
	['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:00Z', true, false],
	['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:01Z', false, false],
	['2026-03-01', '', false, false],
	['', '2026-03-01', false, false],
])(
	'the period from "%s" to "%s" is refused: %j where it is required, %j elsewhere',
	(fromDate, toDate, ...isRefused) => {
		for (const [at, required] of [true, false].entries()) {
			const end = dateTime('toDate', {
				startField: 'fromDate',
				required: required && toDate !== '',
			});
			const described = operationWith({ body: [text('name'), dateTime('fromDate'), end] });
			const fields = { name: 'B shift', fromDate, toDate };
			const { problems } = readSaved(described, { fields }, {});
			const label = 'To Date';
			expect(problems).toMatchObject(
				isRefused[at]
					? [
							{
								label,
								text: expect.stringContaining("must be after 'From Date'") as string,
								// n8n shows advice as HTML, and so nothing after a <.
								advice: expect.not.stringContaining('<') as string,
							},
						]
					: [],
			);
		}
	},
);

test("a hint describes the invisible character in a column's name", () => {
	const inputHints = { unknownNames: ['\ufeffnote', 'note'] };
	expect(inputHint([{ itemIndex: 0, inputHints }], 1, 'UTC')).toBe(
		"Not sent because this operation has no such field: '\ufeffnote (which begins with an invisible character (byte order mark: in Extract from File, set 'Exclude Byte Order Mark (BOM)'))', 'note'.",
	);
});
