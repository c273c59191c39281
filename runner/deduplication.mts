// Stands for n8n's store of what nodes have processed, and behaves like it (n8n 2.41, deduplication helper): one row of
// hashes for each node of a workflow and one for each workflow, read and written whole, without a lock. Only making a
// row is atomic. The oldest entries are forgotten first.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** A call that writes a row. */
export type WritingCall = 'record' | 'remove' | 'clear';

export class KeyRows implements IDataDeduplicator {
	private readonly folder: string;

	/** Called in each call that writes a node's row, between its reading of the row and its writing. */
	between: (call: WritingCall) => Promise<void> | void = () => {};

	/** Called after it. */
	written: (call: WritingCall) => void = () => {};

	/** Called before each call for a workflow's row, which several nodes share. */
	workflowRow: (call: WritingCall | 'count') => Promise<void> | void = () => {};

	/** @param folder where it keeps a file for each row */
	constructor(folder: string) {
		this.folder = folder;
	}

	private file(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData): string {
		const row = scope === 'node' ? `${workflow.id}-${node!.id}` : String(workflow.id);
		return join(this.folder, `${row}.keys.json`);
	}

	/** @returns undefined when there is no row */
	private read(file: string): string[] | undefined {
		try {
			return JSON.parse(readFileSync(file, 'utf8')) as string[];
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
			throw error;
		}
	}

	/** @throws Error when the row is there, as for n8n's INSERT */
	private insert(file: string, row: string[]): void {
		const draft = this.draft(file, row);
		try {
			linkSync(draft, file);
		} finally {
			rmSync(draft);
		}
	}

	/** A row that is not there any more stays away, as for n8n's UPDATE. */
	private update(file: string, row: string[]): void {
		if (existsSync(file)) renameSync(this.draft(file, row), file);
	}

	private draft(file: string, row: string[]): string {
		const draft = `${file}.${process.pid}.${randomUUID()}`;
		writeFileSync(draft, JSON.stringify(row));
		return draft;
	}

	private async before(scope: DeduplicationScope, call: WritingCall): Promise<void> {
		await (scope === 'node' ? this.between(call) : this.workflowRow(call));
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const file = this.file(scope, context);
		const found = this.read(file);
		await this.before(scope, 'record');
		const row = found ?? [];
		const known = new Set(row);
		const answer: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(hashed(item))) {
				answer.processed.push(item);
			} else {
				answer.new.push(item);
				row.push(hashed(item));
			}
		}
		if (maxEntries) row.splice(0, row.length - maxEntries);
		if (found) this.update(file, row);
		else this.insert(file, row);
		if (scope === 'node') this.written('record');
		return answer;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const file = this.file(scope, context);
		const row = this.read(file);
		await this.before(scope, 'remove');
		if (!row) return;
		const over = new Set(items.map(hashed));
		this.update(
			file,
			row.filter((entry) => !over.has(entry)),
		);
		if (scope === 'node') this.written('remove');
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		await this.before(scope, 'clear');
		rmSync(this.file(scope, context), { force: true });
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		if (scope === 'workflow') await this.workflowRow('count');
		return this.read(this.file(scope, context))?.length ?? 0;
	}
}

/** n8n-core takes one store for its whole life; this one passes on to that of the test at hand. */
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
