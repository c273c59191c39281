// A poll of a long list lets other work of the n8n process run while it compares the rows.
import type { IDataObject } from 'n8n-workflow';

import { executionLimits, settleChanges } from '../../../engine/poll/changes';
import { diffRows, rowEntriesOf, snapshotOf, type RowEntry } from '../../../engine/poll/snapshot';
import type { TriggerInput } from '../../../engine/poll/triggerInput';
import { nextTurn } from '../../harness/eventLoop.cts';

executionLimits.items = 10;

const rowCount = 1000;

/** The number of row reads since other work last had its turn. */
let reads = 0;

/** Rows that count how often they are read. */
async function entriesOf(rows: IDataObject[]): Promise<RowEntry[]> {
	const entries = await rowEntriesOf(rows, 'id', []);
	return entries.map(({ content, ...entry }) =>
		Object.defineProperty(entry as RowEntry, 'content', { get: () => (reads++, content) }),
	);
}

/** @returns the maximum number of rows read in one piece of the work */
async function longestPieceOf(work: () => Promise<unknown>): Promise<number> {
	let longest = (reads = 0);
	let isOver = false;
	const others = (async () => {
		while (!isOver) {
			await nextTurn();
			longest = Math.max(longest, reads);
			reads = 0;
		}
	})();
	await work();
	isOver = true;
	await others;
	return longest;
}

const triggerOn = ['added', 'changed', 'removed'];
const input = {
	watchedList: { operation: {} },
	settings: { triggerOn, onlyFields: [], output: 'raw' },
} as unknown as TriggerInput;

const named = (name: string) => Array.from({ length: rowCount }, (_, id) => ({ id, name }));

test.each([
	['none of which changed', named('a')],
	['all of which changed', named('b')],
	['most of which are gone', named('a').slice(0, 2)],
])('rows, %s, are compared in short pieces', async (_, rows) => {
	// Each reading of the clock is a millisecond later than the one before.
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now++);
	const before = await entriesOf(named('a'));
	const after = await entriesOf(rows);
	const longest = await longestPieceOf(async () => {
		const changes = await diffRows(await snapshotOf(before), after);
		await settleChanges({ entries: after, changes }, input);
	});
	expect(longest).toBeGreaterThan(0);
	expect(longest).toBeLessThan(rowCount / 10);
});
