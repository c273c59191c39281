// What is sent.
import type { Kind } from './task.mts';

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

/** Rows to send, each a record or a patch. */
export const rows = (kind: Kind, count: number) =>
	Array.from({ length: count }, (_, n) => (kind === 'patches' ? patch(n) : record(n)));
