// The bodies of the requests, which are also the JSON of the input items.
import type { Workload } from './measurement.mts';

const record = (n: number) => ({
	name: `Shift ${n}`,
	fromDate: '2026-03-01T07:00:00-05:00',
	toDate: '2026-03-02T07:00:00-05:00',
	stationNumber: '4',
});

const patch = (n: number) => ({
	op: 'replace',
	path: [{ path: `/licenses/${n}` }],
	value: [{ userID: 7 }],
});

/** Each body is a record to create or a patch. */
export const requestBodies = (workload: Workload, count: number) =>
	Array.from({ length: count }, (_, n) => (workload === 'patches' ? patch(n) : record(n)));
