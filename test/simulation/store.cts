// n8n's store of what nodes have processed, as its calls are made of queries of a database: each reads a whole row and
// writes it back, so that two at once erase what the other has written. Only making a row is atomic. (n8n 2.41,
// deduplication helper; n8n-in-process/deduplication.mts is held against a real n8n.)
import type { StoreHelpers } from '../harness/keyRows.cts';
import type { Place, World } from './world.cts';

/** What may go wrong with a query. */
export const storeFaults = ['refused', 'lostBefore', 'lostAfter', 'hangs', 'slow'] as const;
export type StoreFault = (typeof storeFaults)[number];

/** Milliseconds that a slow query takes: longer than a call may take, too. */
const [minSlowTime, maxSlowTime] = [1000, 25_000];

/** PostgreSQL and SQLite give an error of their own a code. */
const refusal = () => Object.assign(new Error('the database is busy'), { code: 'SQLITE_BUSY' });

type Row = readonly string[];

/** A write of a node's row, or the making or removal of a workflow's row, as it happens in the database. */
export interface StoreWrite {
	scope: 'node' | 'workflow';
	kind: 'insert' | 'update' | 'delete';
	process: Place;
	/** The row after the write. */
	row?: Row;
}

export class SimulatedStore {
	private readonly rows = new Map<string, Row>();

	/** By the number of the query. */
	readonly faults = new Map<number, StoreFault>();

	private queries = 0;

	/** By process: how many of its queries have no answer yet. */
	private readonly open = new Map<Place, number>();

	onWrite: (write: StoreWrite) => void = () => {};

	constructor(private readonly world: World) {}

	/** Whether a process waits for an answer. */
	isAsked(process: Place): boolean {
		return (this.open.get(process) ?? 0) > 0;
	}

	private async query<Value>(process: Place, work: () => Value): Promise<Value> {
		const count = (change: number) =>
			this.open.set(process, (this.open.get(process) ?? 0) + change);
		count(1);
		return await this.ask(process, work).finally(() => count(-1));
	}

	private ask<Value>(process: Place, work: () => Value): Promise<Value> {
		const { world } = this;
		const fault = this.faults.get(this.queries++);
		return new Promise((resolve, reject) => {
			const respond = (tell: () => void) => world.after(world.between(0.2, 3), tell, process);
			const lose = () => respond(() => reject(new Error('Connection terminated unexpectedly')));
			if (fault === 'refused') return respond(() => reject(refusal()));
			if (fault === 'lostBefore') return lose();
			if (fault === 'hangs') return;
			const slowTime = fault === 'slow' ? world.between(minSlowTime, maxSlowTime) : 0;
			world.after(world.between(0.2, 3) + slowTime, () => {
				let value: Value;
				try {
					value = work();
				} catch (error) {
					return respond(() => reject(error as Error));
				}
				if (fault === 'lostAfter') lose();
				else respond(() => resolve(value));
			});
		});
	}

	/** @returns n8n's helpers for one node of a workflow, as a process calls them */
	helpersFor(process: Place): StoreHelpers {
		const { rows } = this;
		const read = (scope: string) => this.query(process, () => rows.get(scope));
		const write = (scope: StoreWrite['scope'], kind: StoreWrite['kind'], row?: Row) =>
			this.query(process, () => {
				if (kind === 'insert' && rows.has(scope)) throw new Error('duplicate key');
				if (kind === 'update' && !rows.has(scope)) return;
				if (kind === 'delete' && !rows.has(scope)) return;
				this.onWrite({ scope, kind, process, row });
				if (row) rows.set(scope, row);
				else rows.delete(scope);
			});
		return {
			async checkProcessedAndRecord(items, scope, { maxEntries }) {
				const found = await read(scope);
				const known = new Set(found);
				const added = items.map(String).filter((item) => !known.has(item));
				const row = [...(found ?? []), ...new Set(added)];
				if (maxEntries) row.splice(0, row.length - maxEntries);
				await write(scope, found ? 'update' : 'insert', row);
				return { new: added, processed: items.filter((item) => known.has(String(item))) };
			},
			async removeProcessed(items, scope) {
				const found = await read(scope);
				if (!found) return;
				const over = new Set(items.map(String));
				await write(
					scope,
					'update',
					found.filter((entry) => !over.has(entry)),
				);
			},
			clearAllProcessedItems: (scope) => write(scope, 'delete'),
			getProcessedDataCount: async (scope) => (await read(scope))?.length ?? 0,
		};
	}
}
