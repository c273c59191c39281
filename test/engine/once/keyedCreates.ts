// Creates of shift schedules with keys, on a store of keys that a test can disturb.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { KeyRows, useKeyRows } from '../../../n8n-in-process/deduplication.mts';
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from '../../harness/run';

export interface StoreOfKeys {
	readonly rows: KeyRows;
	/**
	 * Has the store remember items as if they were sent, too.
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
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'agency-keys-'));
		rows = new KeyRows(folder);
		await useKeyRows(rows);
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	return {
		get rows() {
			return rows;
		},
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

export const items = (...numbers: number[]) => numbers.map((n) => ({ rowID: n, name: `row ${n}` }));

/** 0, 1, 2 … */
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Sends items, each with its rowID as the key. */
export const createWithKeys = (
	credentials: CredentialStore,
	given: IDataObject[],
	options: IDataObject = {},
	more: Partial<RunOptions> = {},
): Promise<RunResult> =>
	runNode({
		node: new AgencyShiftSchedules(),
		credentials,
		items: given,
		nodeSettings: { onError: 'continueRegularOutput' },
		...more,
		parameters: {
			fields: { name: '={{ $json.name }}' },
			options: { sendOnceKey: '={{ $json.rowID }}', maxTries: 1, ...options },
			...more.parameters,
		} as RunOptions['parameters'],
	});

/** What became of each item. */
export const outcomes = ({ json }: Pick<RunResult, 'json'>) =>
	json.map((entry) =>
		'error' in entry
			? (entry.error as IDataObject).outcome
			: entry.alreadySent
				? 'alreadySent'
				: 'sent',
	);
