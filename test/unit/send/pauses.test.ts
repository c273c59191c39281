import { Pauses } from '../../../engine/send/pauses';

const hour = 3_600_000;
const until = (pauses: Pauses, route: string) => pauses.of(route).until;

test('a long wait of one route holds that route, and the others for a moment', () => {
	const pauses = new Pauses();
	pauses.begin(0, hour, { ofRoute: 'POST /files' });
	expect(until(pauses, 'POST /files')).toBe(hour);
	expect(until(pauses, 'GET /shifts')).toBeGreaterThan(0);
	expect(until(pauses, 'GET /shifts')).toBeLessThan(60_000);
	expect(pauses.of('GET /shifts').askedOf).toBe('POST /files');
});

test('a short wait holds all routes as long', () => {
	const pauses = new Pauses();
	pauses.begin(0, 5000, { ofRoute: 'POST /files' });
	expect(until(pauses, 'GET /shifts')).toBe(5000);
});

test('when a second route is asked to wait too, all wait until the earlier of both times', () => {
	const pauses = new Pauses();
	pauses.begin(0, hour, { ofRoute: 'POST /files' });
	pauses.begin(1000, 600_000, { ofRoute: 'GET /shifts' });
	expect(until(pauses, 'GET /vendors')).toBe(601_000);
	expect(until(pauses, 'POST /files')).toBe(hour);
	pauses.begin(2000, hour, { ofRoute: 'POST /files' });
	expect(until(pauses, 'GET /vendors')).toBe(601_000);
});

test('a wait that is over is no second one', () => {
	const pauses = new Pauses();
	pauses.begin(0, 60_000, { ofRoute: 'POST /files' });
	pauses.begin(70_000, hour, { ofRoute: 'GET /shifts' });
	expect(until(pauses, 'GET /vendors')).toBeLessThan(130_000);
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
