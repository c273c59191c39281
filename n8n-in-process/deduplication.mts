// Stands for n8n's store of what nodes have processed, and behaves like it (n8n 2.41, deduplication helper): one row of
// hashes for each node of a workflow and one for each workflow, read and written whole, without a lock. Only making a
// row is atomic. The oldest entries are forgotten first.
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

/** n8n's own error. n8n recognizes it by this name. */
class DeduplicationError extends Error {}

/** A call that writes a row. */
export type WritingCall = 'record' | 'remove' | 'clear';

export class KeyRows implements IDataDeduplicator {
	private readonly database: DatabaseSync;

	/** Called in each call that writes a node's row, between its reading of the row and its writing. */
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

	/** @returns undefined when there is no row; a text in a row of another mode, which keeps the latest value alone */
	private read(key: RowKey): string[] | string | undefined {
		const found = this.database
			.prepare('SELECT value FROM processed_data WHERE workflowId = ? AND context = ?')
			.get(...key);
		return found && (JSON.parse(found.value as string) as string[] | string);
	}

	/** @throws Error when the row is there */
	private insert(key: RowKey, row: string[] | string): void {
		this.database
			.prepare('INSERT INTO processed_data VALUES (?, ?, ?)')
			.run(...key, JSON.stringify(row));
	}

	/** A row that is not there any more stays away. */
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
		const response: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(hashed(item))) {
				response.processed.push(item);
			} else {
				response.new.push(item);
				row.push(hashed(item));
			}
		}
		if (maxEntries) row.splice(0, row.length - maxEntries);
		if (found) this.update(key, row);
		else this.insert(key, row);
		if (scope === 'node') this.written('record');
		return response;
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

/** @param given the store of n8n-core from now on; undefined: none */
export async function useKeyRows(given: KeyRows | undefined): Promise<void> {
	rows = given;
	if (!isReady) await core.DataDeduplicationService.init(passingOn);
	isReady = true;
}
