// The records that a person at the service could edit, and no operation of the interface can.
import type { Data, Store } from './store.mts';

/** Kinds of records that the interface only lists. */
export const listedKinds = ['vendor', 'deviceCode', 'criticalInfrastructure'] as const;

export type ListedKind = (typeof listedKinds)[number];

/** @returns the new record's ID */
export const addRecord = (store: Store, kind: ListedKind, data: Data): number =>
	store.insert(kind, data);

/**
 * @param changes fields with their new values; the others stay
 * @returns whether there is such a record
 */
export function changeRecord(store: Store, kind: ListedKind, id: number, changes: Data): boolean {
	const record = store.get(kind, id);
	if (record) store.update(kind, id, { ...record.data, ...changes });
	return record !== undefined;
}

/** @returns whether there was such a record */
export const removeRecord = (store: Store, kind: ListedKind, id: number): boolean =>
	store.remove(kind, id);
