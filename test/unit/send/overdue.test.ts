import { OverdueTimes } from '../../../engine/send/overdue';

test('some seconds where nothing is known, else by the delays of the route', () => {
	const times = new OverdueTimes();
	expect(times.after('GET /shifts')).toBeGreaterThanOrEqual(5000);
	expect(times.after('GET /shifts')).toBeLessThanOrEqual(15_000);
	for (let n = 0; n < 20; n++) times.noteAnswer('GET /shifts', 20);
	expect(times.after('GET /shifts')).toBe(1000);
	// RFC 6298 §2.2: the first delay and four times half of it.
	times.noteAnswer('PATCH /licenses', 20_000);
	expect(times.after('PATCH /licenses')).toBe(60_000);
	times.noteAnswer('PATCH /licenses', 20_000);
	expect(times.after('PATCH /licenses')).toBe(50_000);
	times.noteAnswer('PATCH /licenses', 36_000);
	// 20 + 16 / 8 s, and 4 × (7.5 s × 3/4 + 16 s / 4).
	expect(times.after('PATCH /licenses')).toBe(22_000 + 38_500);
});

test('is twice as long each time, once for those that were under way together, until an answer', () => {
	const times = new OverdueTimes();
	const usual = times.after('GET /shifts');
	times.noteOverdue('GET /shifts', 0, 10_000);
	times.noteOverdue('GET /shifts', 500, 11_000);
	expect(times.after('GET /shifts')).toBe(2 * usual);
	times.noteOverdue('GET /shifts', 12_000, 32_000);
	expect(times.after('GET /shifts')).toBe(4 * usual);
	for (let n = 1; n < 50; n++) times.noteOverdue('GET /shifts', n * 1e6, n * 1e6);
	expect(times.after('GET /shifts')).toBeLessThanOrEqual(600_000);
	expect(times.after('GET /vendors')).toBe(usual);
	times.noteAnswer('GET /shifts', undefined);
	expect(times.after('GET /shifts')).toBe(usual);
});
