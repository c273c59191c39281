import { DateTime } from 'luxon';

import { dateTime, text } from '../../../engine/area';
import { newYork, readField } from './readForm.cts';

describe('date-times', () => {
	test.each([
		// The picker's form, in winter and in summer.
		['2026-01-15T07:00:00', newYork, '2026-01-15T07:00:00-05:00'],
		['2026-07-15T07:00:00', newYork, '2026-07-15T07:00:00-04:00'],
		['2026-01-15', newYork, '2026-01-15T00:00:00-05:00'],
		['2026-01-15T07:00:00+1400', newYork, '2026-01-15T07:00:00+14:00'],
		// An offset that was given stays.
		['2026-11-01T01:30:00-05', 'Asia/Tokyo', '2026-11-01T01:30:00-05:00'],
		['2026-01-14 24:00:00', newYork, '2026-01-15T00:00:00-05:00'],
		['2026-01-15T07:00:00.0000000Z', newYork, '2026-01-15T07:00:00Z'],
		// Databases have more precision than milliseconds: no digit is lost.
		['2026-01-15 07:00:00.123456789', newYork, '2026-01-15T07:00:00.123456789-05:00'],
		['2026-01-15T07:00:00.0001+09:00', newYork, '2026-01-15T07:00:00.0001+09:00'],
		// 01:30 occurs twice when daylight saving ends: the first one counts.
		['2026-11-01T01:30:00', newYork, '2026-11-01T01:30:00-04:00'],
		['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-05T01:45:00+11:00'],
	])('%s in %s is %s', (raw, timeZone, value) => {
		expect(readField(dateTime('x'), raw, timeZone)).toMatchObject({ value, problems: [] });
	});

	test.each([
		'2026-13-26',
		'2026-00-10T07:00:00',
		'2026-02-30',
		'2026-03-00',
		'2026-03-01T25:00:00',
		'2026-03-01T24:00:00.5',
		'2026-03-01 07:60',
		'2026-03-01T07:00:75-05:00',
		'9999-12-31T24:00:00',
	])('%s does not exist', (raw) => {
		expect(readField(dateTime('x'), raw).problems).toMatchObject([
			{ label: 'X', text: `is "${raw}", but must be a date and time that exists` },
		]);
	});

	test.each([
		['2026-03-08T02:30:00', newYork],
		['2026-03-08T0230', newYork],
		['2026-10-04T02:15:00', 'Australia/Lord_Howe'],
	])('%s in %s is skipped by daylight saving', (raw, timeZone) => {
		const { problems } = readField(dateTime('x'), raw, timeZone);
		expect(problems[0]!.text).toMatch(
			/must be a time that exists: .*(New_York|Lord_Howe) skips it/,
		);
		expect(readField(dateTime('x'), raw.slice(0, 16), 'America/Phoenix').problems).toEqual([]);
	});

	test.each([
		'0999-12-31T23:59:59Z',
		'12026-03-04T07:00:00Z',
		'2026-03-01T07:00+15',
		'2026-03-01 07:00 EST',
		new Date('+012026-03-04'),
		DateTime.utc(12026, 3, 4),
	])('%p has a year, offset or zone that is never sent', (raw) => {
		expect(readField(dateTime('x'), raw).problems).toHaveLength(1);
		if (typeof raw !== 'string') expect(readField(text('x'), raw).problems).toHaveLength(1);
	});

	test('date objects keep their instant', () => {
		const tokyo = DateTime.fromISO('2026-03-01T07:00:00', { zone: 'Asia/Tokyo' });
		expect(readField(dateTime('x'), tokyo).value).toBe('2026-03-01T07:00:00+09:00');
		expect(readField(dateTime('x'), tokyo.toJSDate()).value).toBe('2026-02-28T22:00:00Z');
	});
});

const read = (raw: unknown, datesInRows: string, timeZone = newYork) =>
	readField(dateTime('x'), raw, timeZone, { datesInRows });

describe('dates as in spreadsheets', () => {
	test.each<[string, unknown, string]>([
		['iso', '2026/12/01 07:00', '2026-12-01T07:00:00-05:00'],
		['dayFirst', '2026.12.01', '2026-12-01T00:00:00-05:00'],
		['monthFirst', '2026/12/01 7:00 AM', '2026-12-01T07:00:00-05:00'],
		['monthFirst', ' 12-01-2026, 07:00:09.5 ', '2026-12-01T07:00:09.5-05:00'],
		['monthFirst', '7/4/2026 12:05:09\u202fpm', '2026-07-04T12:05:09-04:00'],
		['monthFirst', '12/1/2026 12:00 a.m.', '2026-12-01T00:00:00-05:00'],
		['monthFirst', '12/1/2026 7 AM', '2026-12-01T07:00:00-05:00'],
		['dayFirst', '1.12.2026 07:00', '2026-12-01T07:00:00-05:00'],
		['dayFirst', '01/12/26 7:00pm', '2026-12-01T19:00:00-05:00'],
		['excel', 46357.291666666664, '2026-12-01T07:00:00-05:00'],
		['excel', '46357.2916666666', '2026-12-01T07:00:00-05:00'],
		['excel', '46357,2916666667', '2026-12-01T07:00:00-05:00'],
		['excel', 46357.29, '2026-12-01T06:57:36-05:00'],
		['excel', '46357', '2026-12-01T00:00:00-05:00'],
		['excel', 20_000, '1954-10-03T00:00:00-05:00'],
		['excel', 2958465, '9999-12-31T00:00:00-05:00'],
		// The date of one column and the time of another.
		['excel', '46305 0.7708333333333334', '2026-10-10T18:30:00-04:00'],
		['excel', '46305 ,77083333', '2026-10-10T18:30:00-04:00'],
		// Excel has midnight as 0.
		['excel', '46357 0', '2026-12-01T00:00:00-05:00'],
		// And 24:00 as 1.
		['excel', '46357 1', '2026-12-02T00:00:00-05:00'],
		['excel', '2026-12-01 0.75', '2026-12-01T18:00:00-05:00'],
		['iso', '2026-12-01 0.75', '2026-12-01T18:00:00-05:00'],
		['iso', '2026-12-01 0', '2026-12-01T00:00:00-05:00'],
		['monthFirst', '12/1/2026 0.75', '2026-12-01T18:00:00-05:00'],
		['excel', '46357 0.9999999', '2026-12-01T23:59:59-05:00'],
		['iso', '2026-10-10 6:30 PM', '2026-10-10T18:30:00-04:00'],
		['dayFirst', '10.10.2026 18:30', '2026-10-10T18:30:00-04:00'],
		// These are unambiguous in any setting: they come from the form's date picker and from expressions.
		['dayFirst', '2026-12-01T07:00:00', '2026-12-01T07:00:00-05:00'],
		['excel', DateTime.utc(2026, 12, 1), '2026-12-01T00:00:00Z'],
	])('%s: %p is %s', (setting, raw, value) => {
		expect(read(raw, setting)).toMatchObject({ value, problems: [] });
	});

	const nonexistent = (choice: string) =>
		new RegExp(`must be a date and time that exists, since 'Dates in Rows' is '${choice}'$`);
	const monthFirst =
		/, but must be a date such as 12\/1\/2026 7:00 AM, since 'Dates in Rows' is 'Month First'$/;
	const dayFirst = /, but must be .* 1\.12\.2026 07:00, since 'Dates in Rows' is 'Day First'$/;
	const excel =
		/, but must be .* 46357\.29, which Excel shows as .*, since 'Dates in Rows' is 'Excel's Numbers'$/;
	test.each<[string, unknown, RegExp]>([
		['monthFirst', '2/30/2026', nonexistent('Month First')],
		['monthFirst', '12/1/2026 13:00 PM', monthFirst],
		['monthFirst', '12/1/2026 0:30 AM', monthFirst],
		['monthFirst', '12/1/2026 7:60', nonexistent('Month First')],
		['monthFirst', '12/1/2026 7', monthFirst],
		['monthFirst', '12/1.2026', monthFirst],
		['monthFirst', '12/1/97', monthFirst],
		['monthFirst', '12/1/0026', monthFirst],
		['dayFirst', ['1.12.2026'], dayFirst],
		['dayFirst', '12/13/2026 7:00 AM', nonexistent('Day First')],
		['excel', 19_999.99, excel],
		['excel', '46305.5 6:30 PM', excel],
		['monthFirst', '12/1/2026 7.5', monthFirst],
		['excel', '61,500', excel],
		['excel', 2958466, excel],
		['monthFirst', '2026-13-01', /but must be a date and time that exists$/],
	])('%s refuses %p', (setting, raw, text) => {
		expect(read(raw, setting)).toMatchObject({
			given: false,
			problems: [{ text: expect.stringMatching(text) as string }],
		});
	});

	test.each<[unknown, string | undefined]>([
		[46357.29, "'Excel's Numbers' (excel)"],
		['3/8/2026 2:30 AM', "'Month First' (monthFirst) or 'Day First' (dayFirst)"],
		['2026', undefined],
		[1_767_225_600, undefined],
		['13/32/2026', undefined],
	])('%p could be read with %s', (raw, choices) => {
		for (const setting of ['iso', undefined]) {
			const options = setting ? { datesInRows: setting } : {};
			const { problems } = readField(dateTime('x'), raw, newYork, options);
			const text = expect.stringMatching(/such as 2026-03-01T07/) as string;
			const advice = choices && `Set 'Options › Dates in Rows' to ${choices}.`;
			expect(problems).toMatchObject([{ text, advice }]);
		}
	});
});

describe('texts that may be dates', () => {
	const field = text('x', { isDate: true });
	test.each<[string, unknown, string]>([
		['excel', '46329.75', '2026-11-03T18:00:00'],
		['monthFirst', '11/3/26', '2026-11-03'],
		['iso', 'next week', 'next week'],
		['iso', '11/3/2026', '11/3/2026'],
		['iso', '2026-11-03T07:00:00+09:00', '2026-11-03T07:00:00+09:00'],
	])('%s: %p is sent as %s', (datesInRows, raw, value) => {
		expect(readField(field, raw, newYork, { datesInRows })).toMatchObject({ value, problems: [] });
	});

	test.each<[string, unknown, RegExp]>([
		['monthFirst', '46329', /, since 'Dates in Rows' is 'Month First'$/],
		['monthFirst', '13/3/2026', /must be a date and time that exists, since/],
		['iso', '2026-02-30', /must be a date and time that exists$/],
		['dayFirst', 'next week', /, since 'Dates in Rows' is 'Day First'$/],
		['monthFirst', '12/1/2026 ', /must have a time after its space, such as 00:00$/],
	])('%s: %p is refused', (datesInRows, raw, text) => {
		const { problems } = readField(field, raw, newYork, { datesInRows });
		expect(problems).toMatchObject([
			{ text: expect.stringMatching(text) as string, advice: undefined },
		]);
	});
});

test.each<[unknown, boolean]>([
	['1899-12-30', true],
	['1900-01-01T00:00:00', true],
	['1970-01-01T00:00:00Z', true],
	[new Date(0), true],
	['1969-12-31T19:00:00-05:00', true],
	['1970-01-02', false],
	['2026-03-01', false],
])('%p is a typical "no date" with a hint: %j', (raw, isTold) => {
	for (const field of [dateTime('x'), text('x', { isDate: true })]) {
		const { problems, inputHints } = readField(field, raw);
		expect([problems, inputHints.unlikelyDates]).toEqual([[], isTold ? ['X'] : undefined]);
	}
});

test.each([
	['2026-12-01T07:00:00Z', newYork, true],
	['2026-12-01T07:00:00.000+00:00', newYork, true],
	['2026-12-01T07:00:00Z', 'UTC', false],
	['2026-12-01T07:00:00Z', 'Europe/London', false],
	['2026-07-01T07:00:00Z', 'Europe/London', true],
	['2026-12-01T07:00:00-05:00', newYork, false],
	[new Date('2026-12-01T07:00:00Z'), newYork, true],
])('%s in %s: a hint that it is in UTC: %j', (raw, timeZone, has) => {
	const { inputHints, problems } = readField(dateTime('x'), raw, timeZone);
	expect([problems, inputHints.utcTimes]).toEqual([[], has ? ['X'] : undefined]);
});
