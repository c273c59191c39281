import { DateTime } from 'luxon';

import { dateTime } from '../../../engine/area';
import { newYork, readField } from './readForm';

describe('date-times', () => {
	test.each([
		// The picker's form, in winter and in summer.
		['2026-01-15T07:00:00', newYork, '2026-01-15T07:00:00-05:00'],
		['2026-07-15T07:00:00', newYork, '2026-07-15T07:00:00-04:00'],
		['2026-07-15 07:00:00', newYork, '2026-07-15T07:00:00-04:00'],
		['2026-01-15T07:00', 'Asia/Kolkata', '2026-01-15T07:00:00+05:30'],
		['2026-01-15', newYork, '2026-01-15T00:00:00-05:00'],
		['2026-01-14T24:00:00', newYork, '2026-01-15T00:00:00-05:00'],
		['2026-01-15T07:00:00+1400', newYork, '2026-01-15T07:00:00+14:00'],
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
		expect(readField(dateTime('x'), raw, timeZone)).toMatchObject({ value, problems: [] });
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
		['2026-03-01T07:00:00+25:00', 'there is no offset +25:00 from UTC'],
		['2026-03-01T07:00-1430', 'there is no offset -1430 from UTC'],
		['2026-03-01 07:00:00.5 +15', 'there is no offset +15 from UTC'],
		['2026-03-01T07:00:00-05:60[America/New_York]', 'there is no offset -05:60 from UTC'],
	])('%s: %s', (raw, text) => {
		expect(readField(dateTime('x'), raw).problems).toMatchObject([
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
		const { text } = readField(dateTime('fromDate'), raw).problems[0]!;
		expect(text).toContain(`{{ DateTime.fromFormat($json.fromDate, "${format}") }}`);
		expect(text.includes('month first')).toBe(format.startsWith('M'));
	});

	test.each(['13/32/2026', '11/27/2026 25:00', '11/27', '11/27/2026 at 7'])(
		'%s is read by none',
		(raw) => {
			const { text } = readField(dateTime('x'), raw).problems[0]!;
			expect(text).toMatch(/must be a date and time/);
			expect(text).not.toContain('{{');
		},
	);

	test('a time that daylight saving skips is a problem', () => {
		const { problems } = readField(dateTime('x'), '2026-03-08T02:30:00');
		expect(problems[0]!.text).toMatch(/02:30.*America\/New_York skip it/);
		expect(readField(dateTime('x'), '2026-03-08T02:30:00', 'America/Phoenix').problems).toEqual([]);
	});

	test('date objects keep their instant', () => {
		const tokyo = DateTime.fromISO('2026-03-01T07:00:00', { zone: 'Asia/Tokyo' });
		expect(readField(dateTime('x'), tokyo).value).toBe('2026-03-01T07:00:00.000+09:00');
		expect(readField(dateTime('x'), tokyo.toJSDate()).value).toBe('2026-02-28T22:00:00.000Z');
	});
});
