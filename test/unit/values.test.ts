import { DateTime } from 'luxon';

import {
	boolean,
	dateTime,
	email,
	id,
	integer,
	number,
	objects,
	text,
	uuid,
	type Field,
	type Operation,
} from '../../engine/area';
import { layout } from '../../engine/layout';
import { readItem } from '../../engine/values';

const newYork = 'America/New_York';

const operation = (body: Field[], more: Partial<Operation> = {}) =>
	({
		kind: 'item',
		name: 'create',
		label: 'Create',
		action: '',
		description: '',
		request: 'POST /things',
		profile: 'A',
		etag: false,
		body,
		...more,
	}) as Operation;

/** Reads the body field `x` from the form's collection. */
function read(field: Field, raw: unknown, zone = newYork) {
	const form: Record<string, unknown> = { fields: { [field.name]: raw, other: 'set' } };
	const { values, problems } = readItem(
		layout(operation([field, text('other')])),
		(name) => form[name] ?? null,
		zone,
	);
	return { value: values.body[field.name], given: field.name in values.body, problems };
}

describe('what is unset is left out, what was set is kept', () => {
	test.each([undefined, null])('%s is unset', (raw) => {
		expect(read(text('x'), raw)).toEqual({ value: undefined, given: false, problems: [] });
		expect(read(integer('x'), raw).given).toBe(false);
	});

	test.each([
		[integer('x'), 0],
		[boolean('x'), false],
		[text('x'), ''],
	])('%j keeps %j', (field, raw) => {
		expect(read(field, raw)).toEqual({ value: raw, given: true, problems: [] });
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
		[boolean('x'), 'true', true],
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
		[integer('x'), '', /empty.*whole number/],
		[integer('x'), true, /whole number/],
		[integer('x'), 2 ** 53, /whole number/],
		[integer('x'), NaN, /NaN.*whole number/],
		[integer('x'), () => 1, /a function.*whole number/],
		[integer('x', { min: 1 }), 0, /1 or more/],
		[number('x'), Infinity, /number/],
		[number('x'), '0x10', /number/],
		[boolean('x'), 'yes', /true or false/],
		[boolean('x'), 1, /true or false/],
		[uuid('x'), '3f2504e0', /UUID/],
		[email('x'), 'chief at agency', /email/],
		[dateTime('x'), 'soon', /"soon".*date and time/],
		[dateTime('x'), '', /empty.*date and time/],
		[dateTime('x'), '2026-13-01T00:00:00', /date and time/],
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
		// 01:30 occurs twice when daylight saving ends: the first one counts.
		['2026-11-01T01:30:00', newYork, '2026-11-01T01:30:00-04:00'],
	])('%s in %s is %s', (raw, zone, value) => {
		expect(read(dateTime('x'), raw, zone)).toMatchObject({ value, problems: [] });
	});

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
		const { problems } = read(field, { entries: [{ path: '/a', userID: 'x' }, {}] });
		expect(problems.map(({ label }) => label)).toEqual(['Path 1 › User ID', 'Path 2 › Path']);
	});

	test.each([undefined, {}, { entries: [] }])('%j is too few', (raw) => {
		expect(read(field, raw).problems[0]!.text).toMatch(/at least one/);
	});
});

test('all problems of an item are found at once', () => {
	const form: Record<string, unknown> = {
		shiftID: 0,
		fields: { fromDate: 'x', toDate: 'y' },
		options: { etag: 'a\nb', parallelRequests: 0 },
	};
	const { problems } = readItem(
		layout(
			operation([dateTime('fromDate'), dateTime('toDate')], { ids: [id('shiftID')], etag: true }),
		),
		(name) => form[name],
		newYork,
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
	const { problems } = readItem(
		layout(operation([text('name')], { ids: [id('shiftID')] })),
		(name) => (name === 'fields' ? { name: 'A' } : undefined),
		newYork,
	);
	expect(problems).toEqual([{ label: 'Shift ID', text: 'is required and not filled in' }]);
});

test.each(['1/../2', '1?x=2', '..', '1e3.5', '%31'])('the ID %s is refused', (shiftID) => {
	const form: Record<string, unknown> = { shiftID, fields: { name: 'A' } };
	const { problems } = readItem(
		layout(operation([text('name')], { ids: [id('shiftID')] })),
		(name) => form[name],
		newYork,
	);
	expect(problems[0]!.text).toContain(JSON.stringify(shiftID));
});

test('a record without any field is a problem', () => {
	const { problems } = readItem(layout(operation([text('name')])), () => ({}), newYork);
	expect(problems).toEqual([
		{ label: 'Fields', text: expect.stringContaining('add at least one') },
	]);
});
