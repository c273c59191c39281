import { gatewayResponseOf } from '../../../engine/http/gatewayResponse';
import { requestedWait } from '../../../engine/http/retryAfter';

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
	['1.5', 1500],
	['1.', undefined],
	['.5', undefined],
	['soon', undefined],
	['2026-11-21T08:00:30Z', undefined],
	[undefined, undefined],
	[['5', '6'], undefined],
])('Retry-After: %j', (header, expected) => {
	const headers = { 'retry-after': header, date: new Date(now).toUTCString() };
	expect(requestedWait(429, headers)).toBe(expected);
});

test.each([
	[429, false, 30_000],
	[503, false, 30_000],
	[403, true, 30_000],
	[403, false, undefined],
	[500, false, undefined],
])("status %d with a date asks for a wait by the service's clock", (status, isQuota, wait) => {
	const at = (time: number) => new Date(time).toUTCString();
	const headers = { date: at(now), 'retry-after': at(now + 30_000) };
	expect(requestedWait(status, headers, isQuota)).toBe(wait);
});

test.each<[string, number, Record<string, unknown>, string, string | undefined]>([
	['its own shape', 403, { 'retry-after': '60' }, '{"error":{"code":"QuotaExceeded"}}', 'quota'],
	['plain text', 403, { 'retry-after': '60' }, 'Out of call volume quota.', 'quota'],
	['no wait', 403, {}, '{"error":{"message":"Out of quota"}}', undefined],
	['no quota', 403, { 'retry-after': '60' }, '{"error":{"message":"Forbidden"}}', undefined],
	[
		"the service's own",
		403,
		{ 'retry-after': '60' },
		'{"errors":{"permissionErrors":["No quota for files"]}}',
		undefined,
	],
])('a quota in %s', (_, status, headers, text, reason) => {
	expect(gatewayResponseOf(status, headers, text)?.reason).toBe(reason);
});
