// What is found when a snapshot is compared with the rows that are there now.
import type { IDataObject } from 'n8n-workflow';

import { RowIdentity } from '../../../engine/kinds/list/rowIdentity';
import {
	diffRows,
	rowEntriesOf,
	snapshotOf,
	withChanges,
	type RowChange,
} from '../../../engine/poll/snapshot';

const identity = new RowIdentity('id');
const entriesOf = async (rows: IDataObject[]) => await rowEntriesOf(rows, identity);
const changesBetween = async (before: IDataObject[], after: IDataObject[]) =>
	diffRows(snapshotOf(await entriesOf(before)), await entriesOf(after), 'id');
const told = (changes: readonly RowChange[]) => changes.map(({ kind, row }) => [kind, row]);

test('rows that share an ID: those that did not change are found by their content', async () => {
	const [a, b, c] = [
		{ id: 1, v: 'a' },
		{ id: 1, v: 'b' },
		{ id: 1, v: 'c' },
	];
	expect(told(await changesBetween([a, b, c], [c, a]))).toEqual([['removed', { id: 1 }]]);
	expect(told(await changesBetween([a, b], [b, c]))).toEqual([['changed', c]]);
	expect(told(await changesBetween([a], [a, a]))).toEqual([['added', a]]);
	expect(told(await changesBetween([a, a, a], [a]))).toEqual([
		['removed', { id: 1 }],
		['removed', { id: 1 }],
	]);
});

test('rows without an ID are the same whatever the order of their fields, and are counted', async () => {
	const row = { v: 1, w: 2 };
	expect(await changesBetween([row, row], [{ w: 2, v: 1 }, row])).toEqual([]);
	expect(told(await changesBetween([row, row], [{ w: 2, v: 1 }]))).toEqual([['removed', row]]);
	expect(told(await changesBetween([row], [row, row]))).toEqual([['added', row]]);
});

test('a part of the changes, made in the snapshot, leaves the others to be found', async () => {
	const before = snapshotOf(
		await entriesOf([{ id: 1, v: 1 }, { id: 2, v: 1 }, { id: 2, v: 1 }, { v: 1 }]),
	);
	const now = await entriesOf([
		{ id: 1, v: 2 },
		{ id: 2, v: 1 },
		{ id: 3, v: 1 },
	]);
	const changes = diffRows(before, now, 'id');
	expect(changes).toHaveLength(4);
	for (let made = 0; made <= changes.length; made++) {
		const snapshot = withChanges(before, changes.slice(0, made));
		expect(told(diffRows(snapshot, now, 'id'))).toEqual(told(changes.slice(made)));
	}
});

test('a long list whose rows all share an ID is compared row by row, and not each with each', async () => {
	const rows = Array.from({ length: 60_000 }, (_, v) => ({ id: 1, v }));
	const before = snapshotOf(await entriesOf(rows));
	const now = await entriesOf([...rows.slice(1).reverse(), { id: 1, v: 'new' }]);
	expect(told(diffRows(before, now, 'id'))).toEqual([['changed', { id: 1, v: 'new' }]]);
});
