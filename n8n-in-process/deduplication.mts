// Replaces n8n's store of processed keys and behaves like it (n8n 2.41, deduplication helper): one row of hashes for
// each node of a workflow and one for each workflow, read and written whole, without a lock. Only creating a row is
// atomic. The oldest entries are forgotten first.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

import { core } from './n8n.mts';

const hashed = (item: DeduplicationItemTypes) =>
	createHash('md5').update(item.toString()).digest('base64');

/** The primary key of a row: a workflow's ID, and its node, or nothing for the workflow's own row. */
type RowKey = [workflowId: string, context: string];

const keyOf = (
	scope: DeduplicationScope,
	{ node, workflow }: ICheckProcessedContextData,
): RowKey => [String(workflow.id), scope === 'node' ? `n:${node!.id}` : ''];

/** Has the name by which n8n recognizes its own error. */
class DeduplicationError extends Error {}

/** A call that writes a row. */
export type WritingCall = 'record' | 'remove' | 'clear';

export class KeyRows implements IDataDeduplicator {
	private readonly database: DatabaseSync;

	/** Called in each call that writes a node's row, after it has read the row and before it writes it. */
	between: (call: WritingCall) => Promise<void> | void = () => {};

	/** Called after it. */
	written: (call: WritingCall) => void = () => {};

	/** Called before each call for a workflow's row. Several nodes share such a row. */
	workflowRow: (call: WritingCall | 'count') => Promise<void> | void = () => {};

	/** @param folder where its database is; several processes may use the same */
	constructor(folder: string) {
		this.database = new DatabaseSync(join(folder, 'processed-data.sqlite'));
		this.database.exec(`
			PRAGMA busy_timeout = 10000;
			PRAGMA synchronous = OFF;
			CREATE TABLE IF NOT EXISTS processed_data (
				workflowId TEXT, context TEXT, value TEXT, PRIMARY KEY (workflowId, context)
			)
		`);
	}

	close(): void {
		this.database.close();
	}

	/** @returns undefined if there is no row; text for a row of the other mode, which only keeps the latest value */
	private read(key: RowKey): string[] | string | undefined {
		const found = this.database
			.prepare('SELECT value FROM processed_data WHERE workflowId = ? AND context = ?')
			.get(...key);
		return found && (JSON.parse(found.value as string) as string[] | string);
	}

	/** @throws Error if the row exists */
	private insert(key: RowKey, row: string[] | string): void {
		this.database
			.prepare('INSERT INTO processed_data VALUES (?, ?, ?)')
			.run(...key, JSON.stringify(row));
	}

	/** A deleted row is not created again. */
	private update(key: RowKey, row: string[]): void {
		this.database
			.prepare('UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ?')
			.run(JSON.stringify(row), ...key);
	}

	private async before(scope: DeduplicationScope, call: WritingCall): Promise<void> {
		await (scope === 'node' ? this.between(call) : this.workflowRow(call));
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const key = keyOf(scope, context);
		const found = this.read(key);
		if (typeof found === 'string')
			throw new DeduplicationError('saved with an incompatible setting');
		await this.before(scope, 'record');
		if (mode !== 'entries') {
			this.insert(key, String(items.at(-1)));
			return { new: items, processed: [] };
		}
		const row = found ?? [];
		const known = new Set(row);
		const sorted: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(hashed(item))) {
				sorted.processed.push(item);
			} else {
				sorted.new.push(item);
				row.push(hashed(item));
			}
		}
		if (maxEntries) row.splice(0, row.length - maxEntries);
		if (found) this.update(key, row);
		else this.insert(key, row);
		if (scope === 'node') this.written('record');
		return sorted;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const key = keyOf(scope, context);
		const row = this.read(key);
		await this.before(scope, 'remove');
		if (!Array.isArray(row)) return;
		const over = new Set(items.map(hashed));
		this.update(
			key,
			row.filter((entry) => !over.has(entry)),
		);
		if (scope === 'node') this.written('remove');
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		await this.before(scope, 'clear');
		this.database
			.prepare('DELETE FROM processed_data WHERE workflowId = ? AND context = ?')
			.run(...keyOf(scope, context));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		if (scope === 'workflow') await this.workflowRow('count');
		const row = this.read(keyOf(scope, context));
		return Array.isArray(row) ? row.length : 0;
	}
}

/** n8n-core accepts one store, once. This one forwards to the store of the current test. */
let rows: KeyRows | undefined;

const passingOn = new Proxy({} as IDataDeduplicator, {
	get: (_, name: keyof IDataDeduplicator) => {
		if (!rows) throw new Error('There is no database');
		return (rows[name] as (...args: unknown[]) => unknown).bind(rows);
	},
});
let isReady = false;

/** @param given n8n-core's store from now on; none if undefined */
export async function useKeyRows(given: KeyRows | undefined): Promise<void> {
	rows = given;
	if (!isReady) await core.DataDeduplicationService.init(passingOn);
	isReady = true;
}
