// n8n's store of what a node has processed, the one behind its Remove Duplicates node: marks, kept as hashes in one
// row of n8n's database for each node of a workflow. Each call reads the row and writes it back as a whole, so all
// calls go one after another: in this process by a queue, between processes by a lock.
import { randomUUID } from 'node:crypto';

import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { wait } from '../n8n';
import { StoreLock, withinCallTime, type Exclusiveness } from './storeLock';
import { waitingTimes } from './waitingTimes';

/** For a workflow that has no ID, by which the store tells it from others. */
export class NeverSavedError extends Error {}

/** What a call of the store is to change. */
export interface MarkChanges {
	remove?: readonly string[];
	record?: readonly string[];
}

/** How often marks are recorded again without the lock, because another process has written over them. */
const maxOverwritten = 5;

/** The last call for each workflow. */
const lastCallByWorkflow = new Map<string, Promise<unknown>>();

async function afterEarlierCalls<Value>(
	workflow: string,
	call: () => Promise<Value>,
): Promise<Value> {
	const turn = (lastCallByWorkflow.get(workflow) ?? Promise.resolve()).then(call);
	const settled = turn.catch(() => {});
	lastCallByWorkflow.set(workflow, settled);
	try {
		return await turn;
	} finally {
		if (lastCallByWorkflow.get(workflow) === settled) lastCallByWorkflow.delete(workflow);
	}
}

/** Never aborted: for calls that are to be made also when the execution was cancelled. */
export const never = new AbortController().signal;

export class MarkStore {
	private readonly workflow: string;

	private readonly options: ICheckProcessedOptions;

	private readonly lock: StoreLock;

	/** Marks that prove which call has written, and are not needed any more. */
	private usedProofs: string[] = [];

	/** Milliseconds that the last call took, without waiting for its turn or for the lock. */
	callTime = 0;

	/** Whether the workflow's row belongs to another node, so that there is no lock. */
	hasNoLock = false;

	/** Whether another process may have written over what was recorded. */
	mayBeOverwritten = false;

	/**
	 * @param maxMarks n8n forgets the oldest of more marks than this; without it none is forgotten
	 * @throws NeverSavedError when the workflow has no ID
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		maxMarks?: number,
	) {
		const { id } = ctx.getWorkflow();
		if (!id) throw new NeverSavedError('The workflow was never saved');
		this.workflow = id;
		this.options = { mode: 'entries', ...(maxMarks !== undefined && { maxEntries: maxMarks }) };
		this.lock = new StoreLock(ctx.helpers, id);
	}

	/**
	 * Removes marks and records others, under one lock. They are removed first: whenever the process dies, no more
	 * items are open than were before, or are to be.
	 * @param stop ends the waiting for the lock, and for a database that does not answer
	 * @returns those of the recorded marks that were not there before
	 * @throws Error when n8n's database fails for longer than a restart of it takes, or when it cannot be told which
	 * marks were there before
	 */
	async write(
		{ remove = [], record = [] }: MarkChanges,
		stop = never,
	): Promise<ReadonlySet<string>> {
		const usedProofs = this.usedProofs.splice(0);
		const writing = this.removeAndRecord([...remove, ...usedProofs], record, stop);
		await writing.catch(() => this.usedProofs.push(...usedProofs));
		return await writing;
	}

	private async removeAndRecord(
		removed: readonly string[],
		recorded: readonly string[],
		stop: AbortSignal,
	): Promise<ReadonlySet<string>> {
		let isRemoved = removed.length === 0;
		const removeOnce = async () => {
			// Not again in a second try: another run may have recorded them since.
			if (isRemoved) return;
			await this.ctx.helpers.removeProcessed([...removed], 'node', this.options);
			isRemoved = true;
		};
		if (recorded.length === 0) {
			await this.call(removeOnce, stop);
			return new Set();
		}
		for (let overwritten = 0; overwritten < maxOverwritten; overwritten++) {
			const proof = `proof\n${randomUUID()}`;
			const work = async () => {
				await removeOnce();
				return await this.recordOnce([...recorded, proof]);
			};
			this.usedProofs.push(proof);
			const { value: added, exclusiveness, failedTries } = await this.call(work, stop);
			// A try that seemed to fail had written all the same, so nothing tells which marks were there before it.
			if (failedTries > 0 && !added.has(proof)) {
				throw new Error('n8n does not say whether these keys were there before');
			}
			if (exclusiveness === 'exclusive') return added;
			const isOverwritten = (await this.recordOnce([proof])).has(proof);
			if (!isOverwritten) return added;
		}
		throw new Error('Other runs of this node overwrite the keys that this run notes');
	}

	/** @returns how many marks there are; it only reads, so it needs no lock */
	async count(): Promise<number> {
		const { helpers } = this.ctx;
		const { value } = await this.withRetries(
			() => withinCallTime(helpers.getProcessedDataCount('node', this.options)),
			never,
		);
		return value;
	}

	/** @throws Error when n8n does not say of each mark whether it was there before */
	private async recordOnce(marks: readonly string[]): Promise<ReadonlySet<string>> {
		const { helpers } = this.ctx;
		const answer = await helpers.checkProcessedAndRecord([...marks], 'node', this.options);
		const told = new Set([...answer.new, ...answer.processed]);
		if (!marks.every((mark) => told.has(mark))) {
			throw new Error('n8n does not say whether these keys were there before');
		}
		return new Set(answer.new.map(String));
	}

	private async call<Value>(
		work: () => Promise<Value>,
		stop: AbortSignal,
	): Promise<{ value: Value; exclusiveness: Exclusiveness; failedTries: number }> {
		const timed = async () => {
			const began = performance.now();
			const value = await work();
			this.callTime = performance.now() - began;
			return value;
		};
		const { value, failedTries } = await this.withRetries(
			() => afterEarlierCalls(this.workflow, () => this.lock.hold(timed, stop)),
			stop,
		);
		if (value.exclusiveness === 'rowOfOtherNode') this.hasNoLock = true;
		if (value.exclusiveness !== 'exclusive') this.mayBeOverwritten = true;
		return { ...value, failedTries };
	}

	private async withRetries<Value>(
		work: () => Promise<Value>,
		stop: AbortSignal,
	): Promise<{ value: Value; failedTries: number }> {
		for (let failedTries = 0; ; failedTries++) {
			const result = await work().then(
				(value) => ({ value }),
				(error: Error) => ({ error }),
			);
			if ('value' in result) return { value: result.value, failedTries };
			const delay = waitingTimes.retryDelays[failedTries];
			if (delay === undefined || stop.aborted) throw result.error;
			await wait(delay, stop);
		}
	}
}
