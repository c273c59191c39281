// Stands for n8n's store of what nodes have processed: one row of hashes for each node of a workflow, read and
// written whole, without a lock; the oldest are forgotten first.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

export class KeyRows implements IDataDeduplicator {
	private readonly folder: string;

	/** Called in each call, between its reading of the row and its writing. */
	between: (kind: 'record' | 'remove') => Promise<void> | void = () => {};

	/** Called after it. */
	written: (kind: 'record' | 'remove') => void = () => {};

	/** @param folder where it keeps a file for each row */
	constructor(folder: string) {
		this.folder = folder;
	}

	private file({ node, workflow }: ICheckProcessedContextData): string {
		return join(this.folder, `${workflow.id}-${node!.id}.keys.json`);
	}

	private read(context: ICheckProcessedContextData): string[] {
		const file = this.file(context);
		return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [];
	}

	private write(context: ICheckProcessedContextData, row: string[]): void {
		const file = this.file(context);
		const draft = `${file}.${process.pid}`;
		writeFileSync(draft, JSON.stringify(row));
		renameSync(draft, file);
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const row = this.read(context);
		await this.between('record');
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
		this.write(context, row);
		this.written('record');
		return answer;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const row = this.read(context);
		await this.between('remove');
		const over = new Set(items.map(hashed));
		this.write(
			context,
			row.filter((entry) => !over.has(entry)),
		);
		this.written('remove');
	}

	async clearAllProcessedItems(
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.write(context, []);
	}

	async getProcessedDataCount(
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		return this.read(context).length;
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
