// The calls of n8n's store, on one that behaves as n8n's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ICheckProcessedContextData, IExecuteFunctions } from 'n8n-workflow';

import { MarkStore, NeverSavedError } from '../../../engine/once/markStore';
import { waitingTimes } from '../../../engine/once/waitingTimes';
import { KeyRows } from '../../../n8n-in-process/deduplication.mts';

const usualTimes = { ...waitingTimes };
let folder: string;
let rows: KeyRows;
/** Calls for the node's row, in order. */
let calls: string[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'agency-marks-'));
	rows = new KeyRows(folder);
	calls = [];
	rows.between = (call) => void calls.push(call);
	Object.assign(waitingTimes, { retryDelays: [1, 1] });
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
	Object.assign(waitingTimes, usualTimes);
});

/** @param id of the workflow */
function newStore(id: string | undefined = 'w'): MarkStore {
	const context = { workflow: { id }, node: { id: 'n' } } as ICheckProcessedContextData;
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		checkProcessedAndRecord: (items, scope, options) =>
			rows.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: (items, scope) => rows.removeProcessed(items, scope, context),
		clearAllProcessedItems: (scope) => rows.clearAllProcessedItems(scope, context),
		getProcessedDataCount: (scope) => rows.getProcessedDataCount(scope, context),
	};
	return new MarkStore({ getWorkflow: () => ({ id }), helpers } as unknown as IExecuteFunctions);
}

test('says which marks were not there before, and removes others with the same lock', async () => {
	const store = newStore();
	let locks = 0;
	rows.workflowRow = (call) => void (call === 'record' && locks++);
	expect([...(await store.write({ record: ['a', 'b'] }))]).toEqual(
		expect.arrayContaining(['a', 'b']),
	);
	const added = await store.write({ remove: ['a'], record: ['b', 'c'] });
	expect(['a', 'b', 'c'].filter((mark) => added.has(mark))).toEqual(['c']);
	expect(locks).toBe(2);
	expect(calls).toEqual(['record', 'remove', 'record']);
	// b, c and the proof of the last call.
	expect(await store.count()).toBe(3);
});

test('what was removed is not removed again in a second try: another run may have recorded it since', async () => {
	const store = newStore();
	await store.write({ record: ['a'] });
	calls = [];
	rows.between = (call) => {
		calls.push(call);
		if (calls.length === 2) throw new Error('connection lost');
	};
	await store.write({ remove: ['a'], record: ['b'] });
	expect(calls).toEqual(['remove', 'record', 'record']);
});

test('a removal that failed is made again', async () => {
	const store = newStore();
	await store.write({ record: ['a'] });
	calls = [];
	rows.between = (call) => {
		calls.push(call);
		if (calls.length === 1) throw new Error('connection lost');
	};
	await store.write({ remove: ['a'] });
	expect(calls).toEqual(['remove', 'remove']);
	expect(await store.count()).toBe(0);
});

test('a workflow that was never saved has no store', () => {
	expect(() => newStore('')).toThrow(NeverSavedError);
});
