// A store of keys for each test of a file, which the test can disturb.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyRows, useKeyRows } from '../../n8n-in-process/deduplication.mts';

/** The store helpers of n8n that the engine uses. */
export type StoreHelpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

export interface StoreOfKeys {
	readonly rows: KeyRows;
	/** Replaces it with a new store. */
	forgetAll(): Promise<void>;
	/**
	 * Makes the store remember more items as if they had been sent.
	 * @param sendFirst sends the item whose key is 0
	 * @param marks the names of the marks that each of them has
	 */
	rememberLike(
		sendFirst: () => Promise<unknown>,
		numbers: readonly number[],
		marks?: readonly string[],
	): Promise<void>;
}

/** Gives each test of the file a store of keys. */
export function useStoreOfKeys(): StoreOfKeys {
	let folder: string;
	let rows: KeyRows;
	const forgetAll = async () => {
		rows = new KeyRows(mkdtempSync(join(folder, 'keys-')));
		await useKeyRows(rows);
	};
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'agency-keys-'));
		await forgetAll();
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	return {
		get rows() {
			return rows;
		},
		forgetAll,
		async rememberLike(sendFirst, numbers, marks = ['sent']) {
			const record = jest.spyOn(rows, 'checkProcessedAndRecord');
			await sendFirst();
			const [recorded, ...context] = record.mock.calls.find(([, scope]) => scope === 'node')!;
			record.mockRestore();
			const ofFirst = recorded.map(String).filter((mark) => marks.includes(mark.split('\n')[0]!));
			const ofAll = numbers.flatMap((n) => ofFirst.map((mark) => mark.replace(/\d+$/, String(n))));
			await rows.checkProcessedAndRecord(ofAll, ...context);
		},
	};
}

/** The context by which n8n finds a node's rows. */
export const contextOf = (workflow: string) =>
	({ workflow: { id: workflow }, node: { id: 'n' } }) as Parameters<KeyRows['removeProcessed']>[2];

/** A node's execution, with only what is needed to reach its rows. */
export const executionIn = ({ rows }: StoreOfKeys, workflow: string): IExecuteFunctions => {
	const context = contextOf(workflow);
	const helpers: StoreHelpers = {
		checkProcessedAndRecord: (items, scope, options) =>
			rows.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: (items, scope) => rows.removeProcessed(items, scope, context),
		clearAllProcessedItems: (scope) => rows.clearAllProcessedItems(scope, context),
		getProcessedDataCount: (scope) => rows.getProcessedDataCount(scope, context),
	};
	const getWorkflow = () => ({ id: workflow, active: true });
	return { getWorkflow, helpers } as Pick<IExecuteFunctions, 'getWorkflow'> as IExecuteFunctions;
};
