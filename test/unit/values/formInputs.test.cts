// The values of the form's inputs: empty ones are left out, and set ones are kept.
import type { IDataObject } from 'n8n-workflow';

import * as area from '../../../engine/area';
import { boolean, integer, objects, text, textList, type Field } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { SavedForm } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
import { operationWith } from '../operation.cts';
import { newYork, readField, readForm, readSaved } from './readForm.cts';

const { number, dateTime, uuid, object, objectList, choice, choices, header, file } = area;
const plain = [text, integer, number, boolean, dateTime, uuid, textList, object, objectList];
const oneChoice = { choices: [{ value: 'a', name: 'A' }] };
const oneOfEach = [
	...[...plain, header, file].map((type) => type('x')),
	...[choice, choices].map((type) => type('x', oneChoice)),
];

describe('what is left empty is not given, what was set is kept', () => {
	const byType = oneOfEach.map((field) => [field.type, field] as const);
	test.each(byType)('%s: an empty input or expression is left out, the latter told', (_, field) => {
		const described = operationWith({ body: [field, text('other')] });
		for (const raw of ['', null, undefined]) {
			const form = { fields: { x: raw, other: 'set' } };
			for (const [{ values, problems, inputHints }, omittedFields] of [
				[readSaved(described, form, form as IDataObject), []],
				[readForm(described, form), ['X']],
			] as const) {
				expect([raw, problems, values.body]).toEqual([raw, [], { other: 'set' }]);
				expect(inputHints.omittedFields ?? []).toEqual(omittedFields);
			}
		}
	});

	test.each([
		[integer('x'), 0],
		[boolean('x'), false],
		[text('x'), ' '],
	])('%j keeps %j', (field, raw) => {
		expect(readField(field, raw)).toMatchObject({ value: raw, given: true, problems: [] });
	});

	test.each(['inputItem', 'json'])("%s: '' is kept for a text field alone", (specifyFields) => {
		const others = [integer('no'), dateTime('at'), boolean('on'), textList('people')];
		const path = objects('path', { fields: [integer('no')] });
		const body = [text('name'), ...others, path, integer('key', { required: true })];
		const row = { name: '', no: '', at: '', on: '', people: '', path: '', key: '' };
		const form = { specifyFields, json: row };
		const { values, problems, inputHints } = readForm(operationWith({ body }), form, newYork, row);
		expect(values.body).toEqual({ name: '' });
		expect(inputHints.omittedFields ?? []).toEqual(['No', 'At', 'On', 'People', 'Path']);
		expect(problems).toEqual([{ label: 'Key', text: 'is required but empty' }]);
	});

	test.each<[object, object]>([
		[{ people: [], path: { entries: [] } }, {}],
		[{ people: [''], path: { entries: [{ path: '', no: '' }] } }, {}],
		[
			{ people: ['', 'A', ''], path: { entries: [{ path: '', no: 0 }, { path: '' }] } },
			{ people: ['A'], path: [{ no: 0 }] },
		],
	])('the lists %j are sent without their empty parts: %j', (lists, sent) => {
		const path = objects('path', { fields: [text('path'), integer('no')] });
		const form = { fields: { other: 'set', ...lists } };
		const described = operationWith({ body: [textList('people'), path, text('other')] });
		const { values, inputHints } = readSaved(described, form, form);
		expect(values.body).toEqual({ other: 'set', ...sent });
		expect(inputHints.omittedFields ?? []).toEqual([]);
	});

	test.each<[unknown[], string[] | undefined, string[], string[]]>([
		[[], [], [], []],
		[['A', ' ', null], ['A'], [], ['People']],
		[[' ', null], undefined, ['People'], []],
	])('an expression that gives the list %j: %j is sent', (list, sent, left, tidied) => {
		const form = { fields: { people: [list], other: 'set' } };
		const saved = { fields: { people: ['={{ … }}'], other: 'set' } };
		const described = operationWith({ body: [textList('people'), text('other')] });
		const { values, inputHints } = readSaved(described, form, saved);
		expect(values.body!.people).toEqual(sent);
		expect([inputHints.omittedFields ?? [], inputHints.tidiedLists ?? []]).toEqual([left, tidied]);
	});
});

const optional = objects('path', { required: true, fields: [integer('userID')] });
const required = objects('path', {
	required: true,
	fields: [text('path', { required: true }), integer('userID')],
});
test.each<[Field, object | undefined, string[]]>([
	[required, undefined, ['Path']],
	[required, {}, ['Path']],
	[required, { entries: [] }, ['Path']],
	[required, { entries: [{}] }, ['Path']],
	[required, { entries: [{ path: null, userID: null }] }, ['Path 1 › Path']],
	[optional, { entries: [{ path: null, userID: null }] }, ['Path']],
	[
		required,
		{ entries: [{ path: '/a', userID: 'x' }, { path: '' }] },
		['Path 1 › User ID', 'Path 2 › Path'],
	],
])('the problems of a required list name the list or the entry (%#)', (field, raw, labels) => {
	const { problems } = readField(field, raw);
	expect(problems.map(({ label }) => label)).toEqual(labels);
	expect(problems.at(-1)!.text).toMatch(/^is required but empty/);
});

describe('groups of inputs without an expression are read once for all items', () => {
	/** Reads two items of a form, whose names come from an expression. */
	function readTwice(options: IDataObject) {
		const form = new SavedForm({ fields: { name: '={{ $json.name }}' }, options });
		const layout = layoutOf(operationWith({ body: [text('name')], etag: true }));
		const asked: string[] = [];
		const items = ['A', 'B'].map((name) => {
			const parameter = (of: string) => {
				asked.push(of);
				return { specifyFields: 'form', fields: { name }, options }[of];
			};
			return readItem(layout, { parameter, json: {}, timeZone: newYork, form });
		});
		return { items, asked };
	}

	test('and the others once per item', () => {
		const { items, asked } = readTwice({ maxTries: 2 });
		expect(items.map(({ values }) => values.body)).toEqual([{ name: 'A' }, { name: 'B' }]);
		expect(items.map(({ values }) => values.settings.maxTries)).toEqual([2, 2]);
		expect(asked.filter((name) => name === 'options')).toHaveLength(1);
		expect(asked.filter((name) => name === 'fields')).toHaveLength(2);
	});

	test.each<[IDataObject, string[], string[]]>([
		[{ maxTries: 0 }, ['Max Tries'], []],
		[{ maxTries: null }, [], ['Max Tries']],
		[{ etag: '' }, ['ETag'], []],
	])('and the problem of %j is reported for every item', (options, labels, omittedFields) => {
		for (const { problems, inputHints } of readTwice(options).items) {
			expect(problems.map(({ label }) => label)).toEqual(labels);
			expect(inputHints.omittedFields ?? []).toEqual(omittedFields);
		}
	});
});

test.each([
	['={{ $json.rowID }}', ['rowID']],
	['={{ $json["Start Date"] }}', ['Start Date']],
	["={{ $json['a'] + $json.b?.c }}", ['a', 'b']],
	['={{ $input.item.json.start }} {{ $json?.end }}', ['start', 'end']],
	['={{ $("Sheet").item.json.row }}', []],
	['$jsonx.row', []],
	['=plain', []],
])('the columns that %s reads', (name, columns) => {
	expect([...new SavedForm({ fields: { name } }).columnsRead]).toEqual(columns);
});
