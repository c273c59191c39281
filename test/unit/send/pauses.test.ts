import { maxPauseOfOthers, Pauses } from '../../../engine/send/pauses';

const hour = 3_600_000;
const until = (pauses: Pauses, route: string) => pauses.of(route).until;

type Asked = [at: number, milliseconds: number, ofRoute: string];

test.each<[string, Asked[], string, number]>([
	['a long wait of a route holds that route', [[0, hour, 'POST /files']], 'POST /files', hour],
	['and the others for a moment', [[0, hour, 'POST /files']], 'GET /shifts', maxPauseOfOthers],
	['a short wait holds all routes as long', [[0, 5000, 'POST /files']], 'GET /shifts', 5000],
	[
		'when a second route is asked to wait too, all wait until the earlier of both times',
		[
			[0, hour, 'POST /files'],
			[1000, 600_000, 'GET /shifts'],
			[2000, hour, 'POST /files'],
		],
		'GET /vendors',
		601_000,
	],
	[
		'a wait that is over is no second one',
		[
			[0, 60_000, 'POST /files'],
			[70_000, hour, 'GET /shifts'],
		],
		'GET /vendors',
		70_000 + maxPauseOfOthers,
	],
])('%s', (_, asked, route, expected) => {
	const pauses = new Pauses();
	for (const [at, milliseconds, ofRoute] of asked) pauses.begin(at, milliseconds, { ofRoute });
	expect(until(pauses, route)).toBe(expected);
	expect(asked.map(([, , ofRoute]) => ofRoute)).toContain(pauses.of(route).askedOf);
});

test('a wait of all, as by a quota, holds all, but not forever', () => {
	const pauses = new Pauses();
	pauses.begin(0, 600_000);
	expect(until(pauses, 'GET /vendors')).toBe(600_000);
	expect(pauses.of('GET /vendors').askedOf).toBeUndefined();
	pauses.begin(0, 1000);
	expect(until(pauses, 'GET /vendors')).toBe(600_000);
	pauses.begin(0, 1000 * hour);
	expect(until(pauses, 'GET /vendors')).toBeLessThan(24 * hour);
});

test('a quota holds all routes, and is told as such with all of its time', () => {
	const pauses = new Pauses();
	pauses.begin(0, 5 * hour, { ofRoute: 'GET /shifts', isQuotaUsedUp: true });
	const { quotaEndsAt, askedOf } = pauses.of('GET /vendors');
	expect([quotaEndsAt, askedOf]).toEqual([5 * hour, undefined]);
	expect(until(pauses, 'GET /vendors')).toBeLessThanOrEqual(hour);
});
