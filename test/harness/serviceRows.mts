// The service's records of a test's rows, by name, for tests that run in Node.js without jest.
import assert from 'node:assert/strict';

import type { Sandbox } from '../../sandbox/server.mts';

type Service = Pick<Sandbox, 'records'>;

/** @returns names that no other row of the test has */
export const namesOfRows = (what: number | string, count: number): string[] =>
	Array.from({ length: count }, (_, row) => `${what}, row ${row}`);

/** The number of shift schedules with each of these names. */
export function timesCreated({ records }: Service, names: readonly string[]): number[] {
	const times = new Map<unknown, number>();
	for (const { data } of records.list('shiftSchedule').rows)
		times.set(data.name, (times.get(data.name) ?? 0) + 1);
	return names.map((name) => times.get(name) ?? 0);
}

export function missingRows(service: Service, names: readonly string[]): string[] {
	const times = timesCreated(service, names);
	return names.filter((_, row) => times[row] === 0);
}

export function assertNoneDoubled(service: Service, names: readonly string[]): void {
	const times = timesCreated(service, names);
	assert.deepEqual(
		names.filter((_, row) => times[row]! > 1),
		[],
		'none is doubled',
	);
}

/** Asserts that no row exists twice, and that each missing row was reported. */
export function assertNoneDoubledOrLost(
	service: Service,
	names: readonly string[],
	named: readonly string[] = [],
): void {
	assertNoneDoubled(service, names);
	const lost = missingRows(service, names).filter((name) => !named.includes(name));
	assert.deepEqual(lost, [], 'none is lost');
}
