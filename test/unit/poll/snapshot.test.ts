// What is found when a snapshot is compared with the rows that are there now.
import type { IDataObject } from 'n8n-workflow';

import { diffRows, rowEntriesOf, snapshotOf, type RowChange } from '../../../engine/poll/snapshot';

const entriesOf = async (rows: IDataObject[]) => await rowEntriesOf(rows, 'id', []);
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

test('a long list whose rows all share an ID is compared row by row, and not each with each', async () => {
	const rows = Array.from({ length: 60_000 }, (_, v) => ({ id: 1, v }));
	const before = snapshotOf(await entriesOf(rows));
	const now = await entriesOf([...rows.slice(1).reverse(), { id: 1, v: 'new' }]);
	expect(told(diffRows(before, now, 'id'))).toEqual([['changed', { id: 1, v: 'new' }]]);
});
