import { DateTime } from 'luxon';

import {
	boolean,
	choice,
	choices,
	dateTime,
	email,
	file,
	group,
	header,
	id,
	integer,
	number,
	object,
	objectList,
	objects,
	patchOperation,
	text,
	textList,
	uuid,
	type Field,
	type Operation,
	type ScalarField,
} from '../../engine/area';
import { layoutOf } from '../../engine/form/layout';
import { ConstantGroups } from '../../engine/values/group';
import { readItem } from '../../engine/values/item';
import type { IDataObject } from 'n8n-workflow';

const newYork = 'America/New_York';

const operation = (body: Field[], more: Partial<Operation> = {}) =>
	({
		kind: 'item',
		name: 'create',
		label: 'Create',
		action: '',
		description: '',
		request: 'POST /things',
		headerProfile: 'A',
		etag: false,
		body,
		...more,
	}) as Operation;

/** Reads an item from the form; what it saves are the parameters before their expressions are resolved. */
const readSaved = (
	described: Operation,
	form: Record<string, unknown>,
	saved: IDataObject,
	timeZone = newYork,
	json: IDataObject = {},
) =>
	readItem(layoutOf(described), {
		parameter: (name) => ({ specifyFields: 'form', ...form })[name] ?? null,
		json,
		timeZone,
		constantGroups: new ConstantGroups(saved),
	});

const expression = '={{ … }}';
/** n8n's collections and lists hold expressions, but are none. */
const holdsInputs = (value: unknown): value is object =>
	Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
const asExpressions = (value: unknown, levels: number): unknown => {
	if (levels === 0 || !holdsInputs(value)) return expression;
	if (Array.isArray(value)) return value.map((entry) => asExpressions(entry, levels - 1));
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, one]) => [name, asExpressions(one, levels - 1)]));
};

/** Reads an item from a form in which every input is an expression. */
const readForm = (
	described: Operation,
	form: Record<string, unknown>,
	timeZone = newYork,
	json: IDataObject = {},
) => {
	// A collection, a list in it, an entry, an input of the entry.
	const saved = asExpressions(form, 5) as IDataObject;
	return readSaved(described, form, saved, timeZone, json);
};

/** Reads the body field `x` from the form's collection. */
function read(field: Field, raw: unknown, timeZone = newYork) {
	const { values, problems } = readForm(
		operation([field, text('other')]),
		{ fields: { [field.name]: raw, other: 'set' } },
		timeZone,
	);
	return { value: values.body[field.name], given: field.name in values.body, problems };
}

/** An object of so many levels. */
function nested(levels: number): object {
	let value = {};
	for (let level = 0; level < levels; level++) value = { value };
	return value;
}

function holdingItself(): object {
	const value: { self?: object } = {};
	value.self = value;
	return value;
}

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
	choice('x', [{ value: 'a', name: 'A' }]),
	choices('x', { choices: [{ value: 'a', name: 'A' }] }),
	header('x'),
	file('x'),
];

describe('what is left empty is not given, what was set is kept', () => {
	const leftEmpty = ['', null, undefined];
	const cases = oneOfEach.flatMap((field) =>
		leftEmpty.map((raw) => [field.type, raw, field] as const),
	);

	test.each(cases)('%s: an input that holds %j', (_, raw, field) => {
		const form = { fields: { x: raw, other: 'set' } };
		const { values, problems, remarks } = readSaved(
			operation([field, text('other')]),
			form,
			form as never,
		);
		expect(problems).toEqual([]);
		expect(values.body).toEqual({ other: 'set' });
		expect(remarks.omittedFields).toEqual([]);
	});

	test.each(cases)('%s: an expression that gives %j is told', (_, raw, field) => {
		const { values, problems, remarks } = readForm(operation([field, text('other')]), {
			fields: { x: raw, other: 'set' },
		});
		expect(problems).toEqual([]);
		expect(values.body).toEqual({ other: 'set' });
		expect(remarks.omittedFields).toEqual([{ label: 'X', reason: 'nothing' }]);
	});

	test.each([
		[integer('x'), 0],
		[boolean('x'), false],
		[text('x'), ' '],
	])('%j keeps %j', (field, raw) => {
		expect(read(field, raw)).toEqual({ value: raw, given: true, problems: [] });
	});

	test.each(['inputItem', 'json'])("the '' of a text is kept: %s", (specifyFields) => {
		const record = { name: '' };
		const { values, problems } = readForm(
			operation([text('name')]),
			{ specifyFields, json: record },
			newYork,
			record,
		);
		expect([values.body, problems]).toEqual([record, []]);
	});

	test('lists: inputs and entries that were left empty', () => {
		const fields = [textList('people'), objects('path', [text('path'), integer('no')])];
		const read = (form: object) => {
			const { values, remarks } = readSaved(
				operation([...fields, text('other')]),
				{ fields: { other: 'set', ...form } },
				{ fields: { other: 'set', ...form } },
			);
			expect(remarks.omittedFields).toEqual([]);
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
			const { values, remarks } = readForm(operation([textList('people'), text('other')]), {
				fields: { people, other: 'set' },
			});
			return [values.body.people, remarks.omittedFields];
		};
		expect(read([[]])).toEqual([[], []]);
		expect(read([['A', '', null]])).toEqual([
			['A'],
			[{ label: 'People › Entry', reason: 'nothing' }],
		]);
	});

	test('an option was added to have a value', () => {
		const read = (maxTries: unknown) => {
			const form = { fields: { name: 'A' }, options: { maxTries } };
			return readSaved(operation([text('name')]), form, form as never).problems;
		};
		for (const empty of ['', null]) {
			expect(read(empty)).toEqual([
				{ label: 'Max Tries', text: 'is empty, but must be a whole number, 1 or more' },
			]);
		}
	});
});

describe('a text with suggestions', () => {
	const described = operation([patchOperation], { kind: 'bulk', pathsField: 'path' });
	const read = (form: object) => readSaved(described, { ...form }, { ...form });

	test.each([
		[{ op: 'replace' }, 'replace'],
		[{ op: 'custom', opCustom: 'remove' }, 'remove'],
		[{ op: 'replace', opCustom: 'remove' }, 'replace'],
		// From an expression, or a file.
		[{ op: 'add' }, 'add'],
	])('%j is %s', (form, op) => {
		const { values, problems } = read(form);
		expect([values.body, problems]).toEqual([{ op }, []]);
	});

	test.each([{ op: 'custom' }, { op: 'custom', opCustom: '' }, { op: '' }])(
		'%j is none',
		(form) => {
			expect(read(form).problems).toContainEqual({
				label: 'Patch Operation',
				text: 'is required and not filled in',
			});
		},
	);

	test('of which either is an expression is read for each item', () => {
		const constantGroups = new ConstantGroups({ op: 'custom', opCustom: '={{ $json.op }}' });
		const form = layoutOf(described);
		const read = (op: string) =>
			readItem(form, {
				parameter: (name) => ({ op: 'custom', opCustom: op })[name] ?? null,
				json: {},
				timeZone: newYork,
				constantGroups,
			}).values.body;
		expect([read('add'), read('remove')]).toEqual([{ op: 'add' }, { op: 'remove' }]);
	});
});

describe('values that fit', () => {
	test.each<[Field, unknown, unknown]>([
		[text('x'), 4, '4'],
		[text('x'), true, 'true'],
		[integer('x'), '42', 42],
		[integer('x'), -3, -3],
		[number('x'), '1.5', 1.5],
		[number('x'), 1e3, 1000],
		[integer('x'), '9007199254740991', 9_007_199_254_740_991],
		[integer('x'), '1.50e1', 15],
		[number('x'), '0.1000000000000000055', 0.1],
		[boolean('x'), 'true', true],
		[boolean('x'), 'TRUE', true],
		[boolean('x'), ' False ', false],
		[header('x'), 7, '7'],
		[header('x'), 0, '0'],
		[header('x'), ' "v 1"\t', '"v 1"'],
		[textList('x'), 'A', ['A']],
		[textList('x'), ['A', [1, 'B']], ['A', '1', 'B']],
		[uuid('x'), '3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
		[email('x'), ' chief@agency.example ', 'chief@agency.example'],
		[text('x'), new Date('2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z'],
	])('%j takes %p', (field, raw, value) => {
		expect(read(field, raw)).toMatchObject({ value, problems: [] });
	});
});

describe('values that do not fit are named with what is allowed', () => {
	test.each<[Field, unknown, RegExp]>([
		[text('x'), { a: 1 }, /\{"a":1\}.*text/],
		[text('x'), [1], /text/],
		[integer('x'), 1.5, /1\.5.*whole number/],
		[integer('x'), 'abc', /"abc".*whole number/],
		[integer('x', { min: 1, max: 9 }), 10, /10.*whole number from 1 to 9/],
		[integer('x', { min: 1, max: 9 }), 0, /0.*whole number from 1 to 9/],
		[integer('x'), true, /whole number/],
		[integer('x'), 2 ** 53, /whole number.*9007199254740991.*digits/],
		[integer('x'), '9007199254740993', /"9007199254740993".*whole number.*digits/],
		[integer('x'), '9007199254740990.6', /whole number/],
		[integer('x'), '1.00000000000000001', /whole number/],
		[number('x'), '9007199254740993', /"9007199254740993".*number.*digits/],
		[number('x'), 2 ** 53, /number.*digits/],
		[text('x'), 2 ** 53, /must be text: .*digits/],
		[text('x'), NaN, /NaN.*text/],
		[text('x'), Infinity, /text/],
		[text('x'), 'cut \ud83d', /half of a character/],
		[textList('x'), ['A', [['B']]], /list of text values/],
		[textList('x'), ['A', [2 ** 53]], /list of text values/],
		[integer('x'), NaN, /NaN.*whole number/],
		[integer('x'), () => 1, /a function.*whole number/],
		[integer('x', { min: 1 }), 0, /1 or more/],
		[number('x'), Infinity, /number/],
		[number('x'), '0x10', /number/],
		[boolean('x'), 'yes', /true or false/],
		[boolean('x'), 'no', /true or false/],
		[boolean('x'), 1, /true or false/],
		[boolean('x'), '0', /true or false/],
		[header('x'), true, /true.*text or a number/],
		[header('x'), {}, /\{\}.*text or a number/],
		[header('x'), ['a'], /\["a"\].*text or a number/],
		[header('x'), new Date(0), /a date \(1970-01-01T00:00:00.000Z\).*text or a number/],
		[header('x'), 'Ä', /ASCII/],
		[header('x'), 'a\n', /one line/],
		[header('x'), '\u00a0a', /ASCII/],
		[header('x'), 2 ** 53, /must be text: .*digits/],
		[object('x'), { a: { b: NaN } }, /JSON/],
		[object('x'), { a: new Map([[1, 2]]) }, /JSON/],
		[object('x'), { a: [undefined] }, /JSON/],
		[object('x'), { a: () => 1 }, /JSON/],
		[object('x'), { a: 10n }, /JSON/],
		[object('x'), nested(30_000), /an object, but.*JSON/],
		[object('x'), holdingItself(), /an object, but.*JSON/],
		[object('x'), { a: 2 ** 53 }, /JSON.*at most 9007199254740991/],
		[text('x'), 10n, /a bigint, but must be text/],
		[objectList('x'), [nested(30_000)], /JSON/],
		[uuid('x'), '3f2504e0', /UUID/],
		[email('x'), 'chief at agency', /email/],
		[dateTime('x'), 'soon', /"soon".*date and time/],
		[dateTime('x'), '2026-13-01T00:00:00', /there is no month 13$/],
		[dateTime('x'), '07:00', /date and time/],
		[dateTime('x'), '2026', /date and time/],
		[dateTime('x'), 1_767_225_600, /date and time/],
		[dateTime('x'), new Date('x'), /invalid date.*date and time/],
		[dateTime('x'), DateTime.invalid('x'), /date and time/],
	])('%j refuses %p', (field, raw, message) => {
		const { problems, given } = read(field, raw);
		expect(given).toBe(false);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatchObject({ label: 'X', text: expect.stringMatching(message) });
	});

	test('a long value is cut', () => {
		expect(read(integer('x'), 'y'.repeat(500)).problems[0]!.text.length).toBeLessThan(150);
	});
});

describe('date-times', () => {
	test.each([
		// The picker's form, in winter and in summer.
		['2026-01-15T07:00:00', newYork, '2026-01-15T07:00:00-05:00'],
		['2026-07-15T07:00:00', newYork, '2026-07-15T07:00:00-04:00'],
		['2026-07-15 07:00:00', newYork, '2026-07-15T07:00:00-04:00'],
		['2026-01-15T07:00', 'Asia/Kolkata', '2026-01-15T07:00:00+05:30'],
		['2026-01-15', newYork, '2026-01-15T00:00:00-05:00'],
		// An offset that was given stays.
		['2026-01-15T07:00:00Z', newYork, '2026-01-15T07:00:00Z'],
		['2026-01-15T07:00:00+09:00', newYork, '2026-01-15T07:00:00+09:00'],
		['2026-03-08T02:30:00-05:00', newYork, '2026-03-08T02:30:00-05:00'],
		['2026-11-01T01:30:00-05:00[America/New_York]', newYork, '2026-11-01T01:30:00-05:00'],
		['2026-01-15T07:00:00.5Z', newYork, '2026-01-15T07:00:00.500Z'],
		['2026-01-15T07:00:00.0000000Z', newYork, '2026-01-15T07:00:00Z'],
		// Databases tell more than milliseconds: no digit is lost.
		['2026-01-15T07:00:00.123456Z', newYork, '2026-01-15T07:00:00.123456Z'],
		['2026-01-15 07:00:00.123456789', newYork, '2026-01-15T07:00:00.123456789-05:00'],
		['2026-01-15T07:00:00.0001+09:00', newYork, '2026-01-15T07:00:00.0001+09:00'],
		// 01:30 occurs twice when daylight saving ends: the first one counts.
		['2026-11-01T01:30:00', newYork, '2026-11-01T01:30:00-04:00'],
	])('%s in %s is %s', (raw, timeZone, value) => {
		expect(read(dateTime('x'), raw, timeZone)).toMatchObject({ value, problems: [] });
	});

	test.each([
		['2026-13-26', 'there is no month 13'],
		['2026-00-10T07:00:00', 'there is no month 0'],
		['2026-02-30', 'there is no day 30 in month 2 of 2026'],
		['2026-04-31T07:00:00Z', 'there is no day 31 in month 4 of 2026'],
		['2026-03-00', 'there is no day 0 in month 3 of 2026'],
		['2026-03-01T25:00:00', 'there is no hour 25'],
		['2026-03-01 07:60', 'there is no minute 60'],
		['2026-03-01T07:00:75-05:00', 'there is no second 75'],
	])('%s: %s', (raw, text) => {
		expect(read(dateTime('x'), raw).problems).toEqual([
			{ label: 'X', text: `is "${raw}", but ${text}` },
		]);
	});

	test.each([
		['11/27/2026 7:00 AM', 'M/d/yyyy h:mm a'],
		['11/27/2026 7:00AM', 'M/d/yyyy h:mma'],
		['11/27/2026 19:00:30', 'M/d/yyyy H:mm:ss'],
		['1/2/26', 'M/d/yy'],
		['27/11/2026', 'd/M/yyyy'],
		['1.2.2026 7:00', 'd.M.yyyy H:mm'],
		['11-27-2026', 'M-d-yyyy'],
		['27.11.2026, 07:00', 'd.M.yyyy, H:mm'],
	])('%s is read by an expression with %s', (raw, format) => {
		const { text } = read(dateTime('fromDate'), raw).problems[0]!;
		expect(text).toContain(`{{ DateTime.fromFormat($json.fromDate, "${format}") }}`);
		expect(text.includes('month first')).toBe(format.startsWith('M'));
	});

	test.each(['13/32/2026', '11/27/2026 25:00', '11/27', '11/27/2026 at 7'])(
		'%s is read by none',
		(raw) => {
			const { text } = read(dateTime('x'), raw).problems[0]!;
			expect(text).toMatch(/must be a date and time/);
			expect(text).not.toContain('{{');
		},
	);

	test('a time that daylight saving skips is a problem', () => {
		const { problems } = read(dateTime('x'), '2026-03-08T02:30:00');
		expect(problems[0]!.text).toMatch(/02:30.*America\/New_York skip it/);
		expect(read(dateTime('x'), '2026-03-08T02:30:00', 'America/Phoenix').problems).toEqual([]);
	});

	test('date objects keep their instant', () => {
		const tokyo = DateTime.fromISO('2026-03-01T07:00:00', { zone: 'Asia/Tokyo' });
		expect(read(dateTime('x'), tokyo).value).toBe('2026-03-01T07:00:00.000+09:00');
		expect(read(dateTime('x'), tokyo.toJSDate()).value).toBe('2026-02-28T22:00:00.000Z');
	});
});

describe('lists of objects', () => {
	const field = objects('path', [text('path', { required: true }), integer('userID')], {
		required: true,
	});

	test('entries become an array', () => {
		const given = { entries: [{ path: '/a', userID: 7 }, { path: '/b' }] };
		expect(read(field, given).value).toEqual([{ path: '/a', userID: 7 }, { path: '/b' }]);
	});

	test('problems name the entry', () => {
		const { problems } = read(field, { entries: [{ path: '/a', userID: 'x' }, { path: '' }] });
		expect(problems.map(({ label }) => label)).toEqual(['Path 1 › User ID', 'Path 2 › Path']);
	});

	test.each([undefined, {}, { entries: [] }, { entries: [{}] }])('%j is too few', (raw) => {
		expect(read(field, raw).problems[0]!.text).toMatch(/at least one/);
	});
});

test('a field that is shown for what another starts with is read when that was left empty', () => {
	const listed = operation([], {
		kind: 'list',
		rowsKey: 'things',
		columns: ['name'],
		paged: true,
	});
	const limitOf = (form: object) =>
		readSaved(listed, { limit: 7, ...form }, {}).values.settings.limit;
	expect([limitOf({}), limitOf({ returnAll: false }), limitOf({ returnAll: true })]).toEqual([
		7, 7, 50,
	]);
});

test('all problems of an item are found at once', () => {
	const { problems } = readForm(
		operation([dateTime('fromDate'), dateTime('toDate')], { ids: [id('shiftID')], etag: true }),
		{
			shiftID: 0,
			fields: { fromDate: 'x', toDate: 'y' },
			options: { etag: 'a\nb', parallelRequests: 0 },
		},
	);
	expect(problems.map(({ label }) => label)).toEqual([
		'Shift ID',
		'From Date',
		'To Date',
		'ETag',
		'Parallel Requests',
	]);
});

test('a required ID that an expression leaves empty is a problem', () => {
	const { problems } = readForm(operation([text('name')], { ids: [id('shiftID')] }), {
		fields: { name: 'A' },
	});
	expect(problems).toEqual([{ label: 'Shift ID', text: 'is required and not filled in' }]);
});

test.each(['1/../2', '1?x=2', '..', '1e3.5', '%31'])('the ID %s is refused', (shiftID) => {
	const { problems } = readForm(operation([text('name')], { ids: [id('shiftID')] }), {
		shiftID,
		fields: { name: 'A' },
	});
	expect(problems[0]!.text).toContain(JSON.stringify(shiftID));
});

describe('three ways to give a record', () => {
	const described = operation(
		[
			dateTime('fromDate'),
			objects('path', [text('path', { required: true })]),
			textList('personnel'),
			object('dAgency.05'),
			group('model', [integer('equipmentID'), text('status')]),
		],
		{ ids: [id('shiftID')] },
	);
	const record = {
		fromDate: '2026-03-02T07:00:00',
		path: [{ path: '/a' }],
		personnel: ['A', 'B'],
		'dAgency.05': { code: 1 },
		model: { equipmentID: 7, status: 'new' },
	};
	const sent = { ...record, fromDate: '2026-03-02T07:00:00-05:00' };

	test.each([
		[
			'form',
			{
				shiftID: 5,
				fields: {
					fromDate: record.fromDate,
					path: { entries: record.path },
					personnel: [['A', 'B']],
					dAgency_05: '{"code": 1}',
				},
				model: record.model,
			},
			{},
		],
		['inputItem', {}, { ...record, shiftID: 5, other: 'ignored' }],
		['json', { shiftID: 5, json: JSON.stringify(record) }, {}],
		['json', { shiftID: 5, json: record }, {}],
	])('%s', (specifyFields, form, json) => {
		const { values, problems } = readForm(described, { specifyFields, ...form }, newYork, json);
		expect(problems).toEqual([]);
		expect(values.body).toEqual(sent);
		expect(values.path).toEqual({ shiftID: 5 });
	});

	const bad = {
		fromDate: 'soon',
		path: 'x',
		personnel: [{}],
		'dAgency.05': '[1]',
		model: { equipmentID: 'x' },
	};
	test.each([
		[
			'form',
			{
				shiftID: 0,
				fields: { ...bad, 'dAgency.05': undefined, dAgency_05: '[1]', path: { entries: 'x' } },
				model: bad.model,
			},
			{},
		],
		['inputItem', {}, { ...bad, shiftID: 0 }],
		['json', { shiftID: 0, json: bad }, {}],
	])('%s names every bad field', (specifyFields, form, json) => {
		const { problems } = readForm(described, { specifyFields, ...form }, newYork, json);
		expect(problems.map(({ label }) => label).sort()).toEqual([
			'D Agency 05',
			'From Date',
			'Model › Equipment ID',
			'Path',
			'Personnel',
			'Shift ID',
		]);
	});

	test('names that match nothing are refused in JSON, and of the item if asked for', () => {
		const json = {
			...record,
			shiftID: 5,
			colour: 1,
			model: { ...record.model, hue: 2 },
			path: [{ path: '/a' }, { path: '/b', tint: 3 }],
		};
		const { shiftID, ...given } = json;
		const names = ['colour', 'model.hue', 'path[].tint'];
		const texts = (form: Record<string, unknown>) =>
			readForm(described, form, newYork, json).problems;
		const refused = (known: string) => [
			...names.map((label) => ({ label, text: 'is not a field of this operation' })),
			{ label: '', text: `known: ${known}` },
		];
		const known = 'fromDate, path, personnel, dAgency.05, model';
		expect(texts({ specifyFields: 'json', shiftID, json: given })).toEqual(refused(known));
		expect(texts({ specifyFields: 'inputItem', unknownNames: 'refuse' })).toEqual(
			refused(`shiftID, ${known}`),
		);
		expect(texts({ specifyFields: 'inputItem' })).toEqual([]);
	});

	test('the input item is read without asking the form for any field', () => {
		const asked: string[] = [];
		readItem(layoutOf(described), {
			parameter(name) {
				asked.push(name);
				return name === 'specifyFields' ? 'inputItem' : {};
			},
			json: { ...record, shiftID: 5 },
			timeZone: newYork,
			constantGroups: new ConstantGroups({}),
		});
		expect([...new Set(asked)].sort()).toEqual(['options', 'specifyFields', 'unknownNames']);
	});

	test.each(['', '[]', '{', 'text', 7])('the JSON %j is no record', (json) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems[0]).toEqual({ label: 'JSON', text: expect.stringContaining('JSON object') });
	});
});

describe('a record without any value', () => {
	const described = operation(
		[text('name', { example: 'A' }), dateTime('fromDate'), text('stationNumber')],
		{ ids: [id('shiftID')] },
	);
	const missing = { label: 'Shift ID', text: 'is required and not filled in' };
	const known = 'Known: name, fromDate, stationNumber';

	test('of the form, beside the ID that is missing too', () => {
		expect(readForm(described, {}).problems).toEqual([
			missing,
			{ label: '', text: 'No field has a value: fill in at least one' },
		]);
	});

	test.each([
		[
			{ crew: 'A', station: '4' },
			"None of the item's fields (crew, station (did you mean stationNumber?)) is a field of this operation. ",
		],
		[{}, 'The item has no value for any field of this operation. '],
		[
			{ name: null, station: '4' },
			'The item has no value for any field of this operation; not known: station (did you mean stationNumber?). ',
		],
	])('of the input item: %j', (item, text) => {
		const { problems } = readForm(described, { specifyFields: 'inputItem' }, newYork, item);
		const withID = known.replace(':', ': shiftID,');
		expect(problems).toEqual([missing, { label: '', text: `${text}${withID}` }]);
	});

	test.each([
		['{}', 'The JSON has no value for any field of this operation. '],
		[
			'{"from":"2026-03-01","station":null}',
			"None of the JSON's fields (from (did you mean fromDate?), station (did you mean stationNumber?)) is a field of this operation. ",
		],
	])('of JSON: %s', (json, text) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems).toEqual([{ label: '', text: `${text}${known}` }]);
	});

	test('the sample that the JSON starts with is no record, until it is changed', () => {
		const fields = [text('name', { example: 'B shift' }), integer('no', { example: 3 })];
		const read = (json: unknown) =>
			readForm(operation(fields), { specifyFields: 'json', json }).problems;
		const sample = '{\n  "name": "B shift",\n  "no": 3\n}';
		expect(read(sample)).toEqual([
			{ label: 'JSON', text: 'is still the sample: replace it with your record' },
		]);
		expect(read(sample.replace('B', 'A'))).toEqual([]);
		expect(read(JSON.parse(sample))).toEqual([]);
	});
});

describe('an end before its beginning is told, and sent', () => {
	const described = operation([
		dateTime('fromDate'),
		dateTime('toDate', { startField: 'fromDate' }),
	]);
	const read = (fromDate: string | undefined, toDate: string | undefined) => {
		const { problems, remarks } = readSaved(described, { fields: { fromDate, toDate } }, {});
		expect(problems).toEqual([]);
		return remarks.reversedDates;
	};
	const reversed = [{ endLabel: 'To Date', startLabel: 'From Date' }];

	test.each([
		['2026-03-02T07:00:00', '2026-03-01T07:00:00', reversed],
		['2026-03-02T07:00:00-05:00', '2026-03-02T11:59:00Z', reversed],
		['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:00Z', []],
		['2026-03-01', '2026-03-02', []],
		['2026-03-01', undefined, []],
		[undefined, '2026-03-01', []],
	])('%s to %s', (from, to, expected) => {
		expect(read(from, to)).toEqual(expected);
	});
});

test('what holds no expression is read once for all items, the rest for each', () => {
	const saved = { fields: { name: '={{ $json.name }}' }, options: { maxTries: 2 } };
	const constantGroups = new ConstantGroups(saved);
	const form = layoutOf(operation([text('name')]));
	const asked: string[] = [];
	const read = (name: string) =>
		readItem(form, {
			parameter(parameter) {
				asked.push(parameter);
				return { specifyFields: 'form', fields: { name }, options: { maxTries: 2 } }[parameter];
			},
			json: {},
			timeZone: 'UTC',
			constantGroups,
		});
	const results = ['A', 'B', 'C'].map((name) => read(name).values);
	expect(results.map(({ body }) => body)).toEqual([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
	expect(results.map(({ settings }) => settings.maxTries)).toEqual([2, 2, 2]);
	expect(asked.filter((name) => name === 'options')).toHaveLength(1);
	expect(asked.filter((name) => name === 'fields')).toHaveLength(3);
});

test('a constant that is wrong is a problem of every item', () => {
	const options = { maxTries: 0 };
	const constantGroups = new ConstantGroups({ options });
	const form = layoutOf(operation([text('name')]));
	for (const name of ['A', 'B']) {
		const { problems } = readItem(form, {
			parameter: (parameter) => ({ specifyFields: 'form', fields: { name }, options })[parameter],
			json: {},
			timeZone: 'UTC',
			constantGroups,
		});
		expect(problems.map(({ label }) => label)).toEqual(['Max Tries']);
	}
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
		const read = (unknownNames: string) =>
			readForm(described, { specifyFields: 'inputItem', unknownNames }, newYork, json);
		expect(read('ignore').remarks.unknownNames.map(({ name }) => name)).toEqual([
			'hue',
			'path[].tint',
			'path[].tint',
		]);
		expect(
			readForm(described, { fields: { name: 'A' } }, newYork, json).remarks.unknownNames,
		).toEqual([]);
	});

	test('an empty constant is left out of every item', () => {
		const options = { etag: '' };
		const constantGroups = new ConstantGroups({ options });
		const form = layoutOf(operation([text('name')], { etag: true, request: 'GET /things' }));
		for (const name of ['A', 'B']) {
			const { remarks } = readItem(form, {
				parameter: (parameter) => ({ specifyFields: 'form', fields: { name }, options })[parameter],
				json: {},
				timeZone: 'UTC',
				constantGroups,
			});
			expect(remarks.omittedFields).toEqual([{ label: 'ETag', reason: 'empty' }]);
		}
	});
});

describe('an option that was added must have a value where the request would be another without it', () => {
	const problemsOf = (request: string, etag: unknown) =>
		readForm(operation([text('name')], { etag: true, request: request as 'GET /things' }), {
			fields: { name: 'A' },
			options: { etag },
		}).problems;

	test.each(['POST /things', 'PATCH /things', 'DELETE /things'])('%s', (request) => {
		for (const etag of [undefined, null, '', ' \t']) {
			expect(problemsOf(request, etag)).toEqual([
				{ label: 'ETag', text: 'is empty: give a value, or remove the option' },
			]);
		}
		expect(problemsOf(request, 'v1')).toEqual([]);
		expect(problemsOf('GET /things', ' ')).toEqual([]);
	});
});
