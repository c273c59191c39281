// The marks that a run has to change in n8n's store. They wait for the next call that notes items as begun, and are
// changed with that; when none comes, they are changed after a while all the same.
import { wait } from '../n8n';
import { never, type MarkStore } from './markStore';
import { answerDelay } from './noteSizes';

export class MarkQueue {
	private toRemove: string[] = [];

	/** Marks of what is done. They are recorded again, in case a process without the lock has written over them. */
	private toConfirm: string[] = [];

	/** By performance.now(): when the last call began. */
	private calledAt = performance.now();

	private isCallPlanned = false;

	private isClosed = false;

	constructor(private readonly store: MarkStore) {}

	remove(marks: readonly string[]): void {
		this.toRemove.push(...marks);
		this.planCall();
	}

	confirm(mark: string): void {
		if (this.store.mayBeOverwritten) this.toConfirm.push(mark);
	}

	/**
	 * Changes what is waiting, and records marks.
	 * @param stop ends the waiting for other processes, and for a database that does not answer
	 * @returns those of the marks that were not there before
	 * @throws what n8n's store throws; what was waiting then waits for a later call
	 */
	async write(marks: readonly string[] = [], stop?: AbortSignal): Promise<ReadonlySet<string>> {
		const [remove, confirmed] = [this.toRemove.splice(0), this.toConfirm.splice(0)];
		const record = [...marks, ...confirmed];
		if (remove.length + record.length === 0) return new Set();
		this.calledAt = performance.now();
		const writing = this.store.write({ remove, record }, stop);
		await writing.catch(() => {
			this.toRemove.unshift(...remove);
			this.toConfirm.unshift(...confirmed);
		});
		return await writing;
	}

	/** Sees to it that the marks are removed when no call comes that notes items as begun. */
	private planCall(): void {
		if (this.isCallPlanned || this.isClosed || this.toRemove.length === 0) return;
		this.isCallPlanned = true;
		void this.callWhenDue().then(() => {
			this.isCallPlanned = false;
			this.planCall();
		});
	}

	private async callWhenDue(): Promise<void> {
		const due = () => this.calledAt + answerDelay(this.store.callTime) - performance.now();
		for (let left = due(); left > 0; left = due()) {
			await wait(left, never);
			if (this.isClosed) return;
		}
		// What it could not change waits for the next call, and for that at the end of the run.
		await this.write().catch(() => {});
	}

	/**
	 * Changes what is waiting; to be called at the end of the run.
	 * @returns whether all of it was changed
	 */
	async close(): Promise<boolean> {
		this.isClosed = true;
		return await this.write().then(
			() => true,
			() => false,
		);
	}
}
