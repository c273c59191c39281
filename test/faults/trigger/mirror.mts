// The agency's vendors as somebody would have them who only gets what the trigger gives.
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { RecordStore } from '../../../sandbox/recordStore.mts';
import type { Execution } from './n8n.mts';

type Rows = Map<unknown, IDataObject>;

export const booksOf = (store: RecordStore): Rows =>
	new Map(
		store
			.list('vendor')
			.rows.map(({ id, data, archived }) => [
				id,
				{ departmentBusinessID: id, ...data, archive: String(archived) } as IDataObject,
			]),
	);

/** IDs whose rows are not the same. */
export const differences = (one: Rows, other: Rows): unknown[] =>
	[...new Set([...one.keys(), ...other.keys()])].filter(
		(id) => !isDeepStrictEqual(one.get(id), other.get(id)),
	);

/** Events that said what had been said, by how they came. */
export interface Doubles {
	/** After a restart, marked as repeated. */
	repeated: number;
	/** After a restart, found again since nothing was known of them. */
	foundAgain: number;
	/** Without a restart in between. */
	unexplained: number;
}

/**
 * @param start the books when the trigger was activated
 * @returns the rows; the poll that gave each last; what was said twice; and how many changes only came since they
 * were repeated
 */
export function mirrorOf(start: Rows, executions: readonly Execution[]) {
	const rows: Rows = new Map(start);
	const doubles: Doubles = { repeated: 0, foundAgain: 0, unexplained: 0 };
	let rescued = 0;
	const lastPoll = new Map<unknown, number>();
	/** Processes that have given something new. */
	const settled = new Set<number>();
	for (const { pid, poll, items } of executions) {
		for (const { changeType, repeated, ...row } of items) {
			const id = row.departmentBusinessID;
			lastPoll.set(id, poll);
			const isKnown =
				changeType === 'removed' ? !rows.has(id) : isDeepStrictEqual(rows.get(id), row);
			if (isKnown) {
				doubles[repeated ? 'repeated' : settled.has(pid) ? 'unexplained' : 'foundAgain']++;
				continue;
			}
			if (repeated) rescued++;
			if (changeType === 'removed') rows.delete(id);
			else rows.set(id, row);
		}
		if (items.some(({ repeated }) => !repeated)) settled.add(pid);
	}
	return { rows, lastPoll, doubles, rescued };
}
