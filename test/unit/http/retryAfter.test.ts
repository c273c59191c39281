import fc from 'fast-check';

import { parseRetryAfter } from '../../../engine/http/retryAfter';

describe('Retry-After', () => {
	const now = Date.UTC(2026, 10, 21, 8, 0, 0);

	test.each([
		['120', 120_000],
		[' 0 ', 0],
		// The three formats of RFC 9110 §5.6.7.
		['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
		['Saturday, 21-Nov-26 08:00:30 GMT', 30_000],
		['Sat Nov 21 08:00:30 2026', 30_000],
		['Sat, 21 Nov 2026 07:00:00 GMT', 0],
		['', undefined],
		['-5', undefined],
		['1.5', undefined],
		['soon', undefined],
		['2026-11-21T08:00:30Z', undefined],
		[undefined, undefined],
		[['5', '6'], undefined],
	])('%j', (header, expected) => {
		expect(parseRetryAfter(header, now)).toBe(expected);
	});

	test('is nothing or a time not negative, whatever comes', () => {
		const given = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer().map(String));
		fc.assert(
			fc.property(given, (header) => {
				const wait = parseRetryAfter(header, now);
				expect(wait === undefined || wait >= 0).toBe(true);
			}),
		);
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(parseRetryAfter(String(seconds), now)).toBe(seconds * 1000);
				// A date has whole seconds, up to the year 9999.
				const date = new Date(now + seconds * 1000).toUTCString();
				expect(parseRetryAfter(date, now)).toBe(seconds * 1000);
			}),
		);
	});
});
