// The calls of n8n's store, on one that behaves as n8n's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ICheckProcessedContextData, IExecuteFunctions } from 'n8n-workflow';

import { MarkStore } from '../../../engine/once/markStore';
import { waitingTimes } from '../../../engine/once/pace';
import { KeyRows, type WritingCall } from '../../../n8n-in-process/deduplication.mts';

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

const contextOf = (id: string) =>
	({ workflow: { id }, node: { id: 'n' } }) as ICheckProcessedContextData;

/** @param id of the workflow */
function newStore(id = 'w'): MarkStore {
	const context = contextOf(id);
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		checkProcessedAndRecord: (items, scope, options) =>
			rows.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: (items, scope) => rows.removeProcessed(items, scope, context),
		clearAllProcessedItems: (scope) => rows.clearAllProcessedItems(scope, context),
		getProcessedDataCount: (scope) => rows.getProcessedDataCount(scope, context),
	};
	return new MarkStore({ getWorkflow: () => ({ id }), helpers } as unknown as IExecuteFunctions);
}

/** Those of the marks that were not in the store before. */
const added = async (store: MarkStore, ...marks: string[]) => {
	const found = await store.record(marks);
	return marks.filter((mark) => found.has(mark));
};

test('says which marks were not there before, and removes others with the same lock', async () => {
	const store = newStore();
	let locks = 0;
	rows.workflowRow = (call) => void (call === 'clear' && locks++);
	expect(await added(store, 'a', 'b')).toEqual(['a', 'b']);
	store.remove(['a']);
	expect(await added(store, 'b', 'c')).toEqual(['c']);
	expect(locks).toBe(2);
	expect(calls).toEqual(['record', 'remove', 'record']);
	expect(await store.close()).toBe(true);
	// b and c.
	expect(await store.count()).toBe(2);
});

describe('a call that fails', () => {
	/** The first call of a kind fails, before or after it has written; then another run records the mark a. */
	function failOnce(kind: WritingCall, isWritten: boolean) {
		let hasFailed = false;
		const fail = (call: WritingCall) => {
			if (hasFailed || call !== kind) return;
			hasFailed = true;
			others = newStore().record(['a']);
			throw new Error('connection lost');
		};
		if (isWritten) rows.written = fail;
		else rows.between = fail;
	}
	let others: Promise<ReadonlySet<string>>;

	test.each<[string, WritingCall, boolean, string[], boolean]>([
		['before it has removed marks: it removes them later', 'remove', false, ['c'], false],
		['after it has removed marks: it does not remove them again', 'remove', true, ['c'], true],
		['after marks were removed: it does not remove them again', 'record', false, ['c'], true],
	])('%s', async (_, kind, isWritten, expected, isLeft) => {
		const store = newStore();
		await store.record(['a', 'b']);
		failOnce(kind, isWritten);
		store.remove(['a']);
		expect(await added(store, 'b', 'c')).toEqual(expected);
		expect((await others).has('a')).toBe(isLeft);
		expect(await added(store, 'a')).toEqual(isLeft ? [] : ['a']);
	});

	test('for good after it has removed marks: they are not removed again by a later call', async () => {
		const store = newStore();
		await store.record(['a', 'b']);
		rows.written = () => {
			throw new Error('connection lost');
		};
		store.remove(['a']);
		await expect(store.record(['c'])).rejects.toThrow('connection lost');
		rows.written = () => {};
		expect(await added(newStore(), 'a', 'b')).toEqual(['a']);
		expect(await store.close()).toBe(true);
		expect(await added(newStore(), 'a', 'b')).toEqual([]);
	});
});

test('what was recorded while another process broke the lock was not there before', async () => {
	let isBroken = false;
	rows.written = () => {
		if (!isBroken) void rows.clearAllProcessedItems('workflow', contextOf('w'));
		isBroken = true;
	};
	expect(await added(newStore(), 'a', 'b')).toEqual(['a', 'b']);
	expect(calls).toEqual(['record', 'record']);
});

test('a workflow that was never saved has no store', () => {
	expect(() => newStore('')).toThrow('never saved');
});
