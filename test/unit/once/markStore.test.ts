// When n8n's store is called, on one that behaves as n8n's. What it holds then, whatever fails, is lived in worlds.
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { MarkStore } from '../../../engine/once/markStore';
import { helpersOf, useStoreOfKeys } from '../../harness/keyRows';

const store = useStoreOfKeys();
/** Calls for the node's row, in order. */
let calls: string[];
beforeEach(() => {
	calls = [];
	store.rows.between = (call) => void calls.push(call);
});

/** @param id of the workflow */
function newMarks(id = 'w'): MarkStore {
	const ctx = { getWorkflow: () => ({ id }), helpers: helpersOf(store, id) };
	return new MarkStore(ctx as unknown as IExecuteFunctions, new AbortController().signal);
}

test('marks are removed with the lock of the next call that records', async () => {
	const marks = newMarks();
	let locks = 0;
	store.rows.workflowRow = (call) => void (call === 'clear' && locks++);
	await marks.record(['a', 'b']);
	marks.remove(['a']);
	await marks.record(['b', 'c']);
	expect([locks, calls]).toEqual([2, ['record', 'remove', 'record']]);
});

test('marks are removed in time when no other call comes', async () => {
	const marks = newMarks();
	await marks.record(['a']);
	marks.remove(['a']);
	await sleep(1000);
	expect(calls).toEqual(['record', 'remove', 'record']);
});

test('a workflow that was never saved has no store', () => {
	expect(() => newMarks('')).toThrow('never saved');
});
