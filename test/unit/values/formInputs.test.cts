// What the inputs of the form hold: empty ones are not given, what was set is kept.
import type { IDataObject } from 'n8n-workflow';

import {
	boolean,
	choice,
	choices,
	dateTime,
	email,
	file,
	header,
	integer,
	number,
	object,
	objectList,
	objects,
	text,
	textList,
	uuid,
	type Field,
	type Operation,
	type ScalarField,
} from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { SavedForm } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
import { newYork, operation, readField, readForm, readSaved } from './readForm.cts';

const oneOfEach: ScalarField[] = [
	text('x'),
	integer('x'),
	integer('x', { min: 1 }),
	number('x'),
	boolean('x'),
	dateTime('x'),
	uuid('x'),
	email('x'),
	textList('x'),
	object('x'),
	objectList('x'),
	choice('x', { choices: [{ value: 'a', name: 'A' }] }),
	choices('x', { choices: [{ value: 'a', name: 'A' }] }),
	header('x'),
	file('x'),
];

describe('what is left empty is not given, what was set is kept', () => {
	const leftEmpty = ['', null, undefined];
	const cases = oneOfEach.flatMap((field) =>
		leftEmpty.map((raw) => [field.type, raw, field] as const),
	);

	test.each(cases)(
		'%s: an input that holds %j, and an expression that gives it, which is told',
		(...row) => {
			const [, raw, field] = row;
			const described = operation([field, text('other')]);
			const form = { fields: { x: raw, other: 'set' } };
			for (const [read, omittedFields] of [
				[readSaved(described, form, form as never), []],
				[readForm(described, form), ['X']],
			] as const) {
				const { values, problems, inputHints } = read;
				expect([problems, values.body]).toEqual([[], { other: 'set' }]);
				expect(inputHints.omittedFields).toEqual(omittedFields);
			}
		},
	);

	test.each([
		[integer('x'), 0],
		[boolean('x'), false],
		[text('x'), ' '],
	])('%j keeps %j', (field, raw) => {
		expect(readField(field, raw)).toMatchObject({ value: raw, given: true, problems: [] });
	});

	test.each(['inputItem', 'json'])(
		"%s: the '' of a text is kept, that of any other field left out",
		(specifyFields) => {
			const others = [integer('no'), dateTime('at'), boolean('on'), textList('people')];
			const path = objects('path', { fields: [integer('no')] });
			const record = { name: '', no: '', at: '', on: '', people: '', path: '', key: '' };
			const { values, problems, inputHints } = readForm(
				operation([text('name'), ...others, path, integer('key', { required: true })]),
				{ specifyFields, json: record },
				newYork,
				record,
			);
			expect(values.body).toEqual({ name: '' });
			expect(inputHints.omittedFields).toEqual(['No', 'At', 'On', 'People', 'Path']);
			expect(problems).toEqual([{ label: 'Key', text: 'is required but empty' }]);
		},
	);

	test('lists: inputs and entries that were left empty', () => {
		const fields: Field[] = [
			textList('people'),
			objects('path', { fields: [text('path'), integer('no')] }),
		];
		const read = (form: object) => {
			const { values, inputHints } = readSaved(
				operation([...fields, text('other')]),
				{ fields: { other: 'set', ...form } },
				{ fields: { other: 'set', ...form } },
			);
			expect(inputHints.omittedFields).toEqual([]);
			return values.body;
		};
		expect(read({ people: [], path: { entries: [] } })).toEqual({ other: 'set' });
		expect(read({ people: [''], path: { entries: [{ path: '', no: '' }] } })).toEqual({
			other: 'set',
		});
		expect(
			read({ people: ['', 'A', ''], path: { entries: [{ path: '', no: 0 }, { path: '' }] } }),
		).toEqual({ other: 'set', people: ['A'], path: [{ no: 0 }] });
	});

	test('a list that an expression gives is sent, even when it is empty', () => {
		const read = (people: unknown) => {
			const form = { fields: { people, other: 'set' } };
			const saved = { fields: { people: ['={{ … }}'], other: 'set' } };
			const described = operation([textList('people'), text('other')]);
			const { values, inputHints } = readSaved(described, form, saved);
			return [values.body.people, inputHints.omittedFields, inputHints.tidiedLists];
		};
		expect(read([[]])).toEqual([[], [], []]);
		expect(read([['A', ' ', null]])).toEqual([['A'], [], ['People']]);
		expect(read([[' ', null]])).toEqual([undefined, ['People'], []]);
	});
});

describe('lists of objects', () => {
	const field = objects('path', {
		required: true,
		fields: [text('path', { required: true }), integer('userID')],
	});

	test('problems name the entry', () => {
		const { problems } = readField(field, { entries: [{ path: '/a', userID: 'x' }, { path: '' }] });
		expect(problems.map(({ label }) => label)).toEqual(['Path 1 › User ID', 'Path 2 › Path']);
	});

	test.each([undefined, {}, { entries: [] }, { entries: [{}] }])('%j is too few', (raw) => {
		expect(readField(field, raw).problems).toEqual([
			{ label: 'Path', text: 'is required but empty' },
		]);
	});

	test.each([
		[objects('path', { required: true, fields: [integer('userID')] }), 'Path'],
		[field, 'Path 1 › Path'],
	])('where one is needed, an entry that gives nothing is too few', (needed, label) => {
		expect(readField(needed, { entries: [{ path: null, userID: null }] }).problems).toEqual([
			{ label, text: 'is required but empty' },
		]);
	});
});

describe('groups of inputs without an expression are read once for all items', () => {
	/** Reads two items of a form, whose names come from an expression. */
	function readTwice(described: Operation, options: IDataObject) {
		const saved = { fields: { name: '={{ $json.name }}' }, options };
		const form = new SavedForm(saved);
		const layout = layoutOf(described);
		const asked: string[] = [];
		const items = ['A', 'B'].map((name) =>
			readItem(layout, {
				parameter(parameter) {
					asked.push(parameter);
					return { specifyFields: 'form', fields: { name }, options }[parameter];
				},
				json: {},
				timeZone: newYork,
				form,
			}),
		);
		return { items, asked };
	}
	const described = operation([text('name')], { etag: true, route: 'GET /things' });

	test('and the others for each', () => {
		const { items, asked } = readTwice(described, { maxTries: 2 });
		expect(items.map(({ values }) => values.body)).toEqual([{ name: 'A' }, { name: 'B' }]);
		expect(items.map(({ values }) => values.settings.maxTries)).toEqual([2, 2]);
		expect(asked.filter((name) => name === 'options')).toHaveLength(1);
		expect(asked.filter((name) => name === 'fields')).toHaveLength(2);
	});

	test.each<[IDataObject, string[], string[]]>([
		[{ maxTries: 0 }, ['Max Tries'], []],
		[{ maxTries: null }, [], ['Max Tries']],
		[{ etag: '' }, ['ETag'], []],
	])('%j is told of every item', (options, labels, omittedFields) => {
		for (const { problems, inputHints } of readTwice(described, options).items) {
			expect(problems.map(({ label }) => label)).toEqual(labels);
			expect(inputHints.omittedFields).toEqual(omittedFields);
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
