// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are noted as begun before
// their items are sent, and as done after the answers; what was certainly not processed is forgotten.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { type Failure } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { withIncluded, type Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { firstBatchSize, isNotingDue, maxAnswerDelay, nextBatchSize } from './batchSizes';
import { KeyScope, type ReadKey } from './keyScope';
import { MarkStore } from './markStore';
import { waitingTimes } from './waitingTimes';
import { alreadySent, keyInDoubt, storeFailed, storeFull } from './sendOnceFailures';

/** Marks beyond those of the keys that are remembered: of what is under way, two for each key. */
const spareMarks = 4096;

/** How many times as long as a call of the store takes is at least between two such looks. */
const looksApart = 40;

/** Keys for which this process has waited in vain: later runs do not wait for them again. The oldest are forgotten. */
const abandoned = new Set<string>();
const maxAbandoned = 10_000;

function noteAbandoned(mark: string): void {
	abandoned.add(mark);
	if (abandoned.size > maxAbandoned) abandoned.delete([...abandoned][0]!);
}

const sendOnceKeyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Array<IDataObject | Failure> {
	const key = sendOnceKeyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, job.values)];
}

/** A job whose key is noted as begun. */
interface NotedJob {
	job: Job;
	/** What was known of the key before. */
	known: ReadKey;
}

const isKeyInDoubt = ({ known }: NotedJob): boolean => known.status === 'inDoubt';

/** Jobs in lists whose size is asked for anew for each list. */
async function* inBatches(jobs: AsyncIterable<Job>, size: () => number): AsyncGenerator<Job[]> {
	let batch: Job[] = [];
	for await (const job of jobs) {
		batch.push(job);
		if (batch.length < size()) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}

const itemIndexesOf = (jobs: readonly Job[]): number[] => jobs.map(({ itemIndex }) => itemIndex);

export class SendOnce {
	/** Jobs that are noted as begun, by item, until it is known what became of them. */
	private readonly unsettled = new Map<number, NotedJob>();

	/** Marks that are to be removed. */
	private toRemove: string[] = [];

	/** Marks of what is done. They are recorded again, in case a process without the lock has written over them. */
	private toConfirm: string[] = [];

	private batchSize: number;

	/** Items of this run whose outcome is known. */
	private answered = 0;

	/** Answers that are not noted. */
	private answersWaiting = 0;

	/** By performance.now(): when answers were noted last. */
	private notedAt = -Infinity;

	private noting?: Promise<void>;

	private isLookingLater = false;

	private constructor(
		private readonly ledger: Ledger,
		private readonly store: MarkStore,
		private readonly scope: KeyScope,
		private readonly maxKeys: number,
		private readonly forgetsOldest: boolean,
		/** Whether 'Send Anyway' counts. */
		private readonly sendsAnyway: boolean,
		/** Keys that are remembered, with those that are under way. */
		private keyCount: number,
	) {
		this.batchSize = firstBatchSize(keyCount);
	}

	/**
	 * @param baseUrl of the service: a key that was sent to one service was not sent to another
	 * @param settings of the first item
	 * @param knowsEarlierSends whether it is known what a run that this one is the retry of has sent; if not, 'Send
	 * Anyway' may name what that run has sent anyway
	 * @throws Failure `notSent` when n8n's store cannot be used
	 */
	static async open(
		ctx: IExecuteFunctions,
		{ request }: Operation,
		baseUrl: string,
		{ sendOnceRemember: maxKeys, sendOnceWhenFull, allowWhenRetried }: Settings,
		ledger: Ledger,
		knowsEarlierSends: boolean,
	): Promise<SendOnce> {
		const forgetsOldest = sendOnceWhenFull === 'forget';
		try {
			const store = new MarkStore(ctx, forgetsOldest ? maxKeys + spareMarks : undefined);
			const scope = new KeyScope(baseUrl, request);
			const sendsAnyway = knowsEarlierSends || allowWhenRetried;
			const count = await store.count();
			return new SendOnce(ledger, store, scope, maxKeys, forgetsOldest, sendsAnyway, count);
		} catch (error) {
			throw storeFailed(error);
		}
	}

	/**
	 * Notes the jobs as begun, many at a time, and yields those that are to be sent; the others are settled. Keys that
	 * another run has begun come last: they are waited for until it has ended, or nobody is sending them any more.
	 */
	async *noteAndAdmit(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		const begunElsewhere: NotedJob[] = [];
		for await (const batch of inBatches(jobs, () => this.batchSize)) {
			for (const noted of await this.noteOrFail(batch)) {
				const isAwaited = isKeyInDoubt(noted) && !abandoned.has(noted.known.open[0]!);
				if (isAwaited) begunElsewhere.push(noted);
				else if (this.admits(noted)) yield noted.job;
			}
			this.batchSize = nextBatchSize(this.batchSize, this.keyCount, this.answered);
		}
		yield* this.afterOtherRuns(begunElsewhere);
	}

	/** Yields the jobs that other runs have begun and not sent after all; the others are settled. */
	private async *afterOtherRuns(begun: readonly NotedJob[]): AsyncGenerator<Job, void> {
		const { stop } = this.ledger;
		let waiting = begun;
		let changedAt = performance.now();
		while (waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(waitingTimes.lookInterval, looksApart * this.store.callTime), stop);
			const again: NotedJob[] = [];
			for (let at = 0; at < waiting.length; at += this.batchSize) {
				const batch = waiting.slice(at, at + this.batchSize).map(({ job }) => job);
				again.push(...(await this.noteOrFail(batch)));
			}
			const settled = again.filter((noted) => !isKeyInDoubt(noted));
			waiting = again.filter(isKeyInDoubt);
			if (settled.length > 0) changedAt = performance.now();
			for (const noted of settled) if (this.admits(noted)) yield noted.job;
			if (performance.now() - changedAt > waitingTimes.nobodySendsAfter) break;
		}
		for (const noted of waiting) {
			if (!stop.aborted) noteAbandoned(noted.known.open[0]!);
			if (this.admits(noted)) yield noted.job;
		}
	}

	/** @returns nothing where n8n's store failed: then the jobs are settled as not sent */
	private async noteOrFail(batch: readonly Job[]): Promise<NotedJob[]> {
		try {
			return await this.note(batch);
		} catch (error) {
			this.ledger.fail(itemIndexesOf(batch), storeFailed(error), 'notSent');
			return [];
		}
	}

	/** Notes a batch as begun. */
	private async note(batch: readonly Job[]): Promise<NotedJob[]> {
		const { stop } = this.ledger;
		const confirmed = [...this.toConfirm];
		const keys = batch.map(sendOnceKeyOf);
		const recording = this.store.record([...this.scope.marksOfAll(keys), ...confirmed], stop);
		const added = await unlessStopped(recording, stop);
		if (!added) {
			this.takeBackLater(recording, keys);
			throw new Error('The execution ended before');
		}
		this.toConfirm.splice(0, confirmed.length);
		return batch.map((job, at) => {
			const noted = { job, known: this.scope.read(keys[at]!, added) };
			this.toRemove.push(...noted.known.unneeded);
			this.unsettled.set(job.itemIndex, noted);
			return noted;
		});
	}

	/**
	 * A call of the store that hangs must not hold up a run that was ended: what it has noted is taken back when it
	 * comes to its end.
	 */
	private takeBackLater(recording: Promise<ReadonlySet<string>>, keys: readonly string[]): void {
		const ofKeys = this.scope.marksOfAll(keys);
		void recording
			.then((added) => this.store.remove(ofKeys.filter((mark) => added.has(mark))))
			.catch(() => {});
	}

	/** Whether a job is to be sent; if not, it is settled. */
	private admits({ job, known: { status } }: NotedJob): boolean {
		const { itemIndex, values } = job;
		const anyway = this.sendsAnyway ? (values.settings.sendOnceAnyway ?? 'nothing') : 'nothing';
		const key = sendOnceKeyOf(job);
		if (status === 'new') this.keyCount++;
		if (status === 'new' && this.keyCount > this.maxKeys && !this.forgetsOldest) {
			this.ledger.settle(itemIndex, [storeFull(key, this.maxKeys)]);
		} else if (status === 'inDoubt' && anyway === 'nothing') {
			this.ledger.settle(itemIndex, [keyInDoubt(key)]);
		} else if (status === 'sent' && anyway !== 'all') {
			this.ledger.settle(itemIndex, resultsOfSent(job));
		} else {
			return true;
		}
		this.noteSettled([itemIndex]);
		return false;
	}

	/** To be called when it is entered in the ledger what became of items. */
	noteSettled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.settleOne(itemIndex);
		this.noteAnswersIfDue();
	}

	/** A key gets a better status only by what became of the item in this run. */
	private settleOne(itemIndex: number): void {
		const noted = this.unsettled.get(itemIndex);
		if (!noted) return;
		this.unsettled.delete(itemIndex);
		this.answered++;
		const { status, begun, open } = noted.known;
		const outcome = this.ledger.outcomeOf(itemIndex);
		if (outcome === 'inDoubt') return;
		if (outcome === 'processed') {
			this.toRemove.push(...open);
			if (this.store.mayBeOverwritten) this.toConfirm.push(begun);
			abandoned.delete(open[0]!);
		} else if (status === 'sent') {
			this.toRemove.push(...open);
		} else if (status === 'new') {
			this.toRemove.push(...open, begun);
			this.keyCount--;
		}
		this.answersWaiting++;
	}

	private noteAnswersIfDue(): void {
		if (this.noting || this.toRemove.length === 0) return;
		const since = performance.now() - this.notedAt;
		if (isNotingDue(this.answersWaiting, since, this.store.callTime, this.keyCount)) {
			void this.noteAnswers().catch(() => {});
		} else if (!this.isLookingLater) {
			// Also when no other answer comes for a while.
			this.isLookingLater = true;
			void wait(maxAnswerDelay, this.ledger.stop).then(() => {
				this.isLookingLater = false;
				if (!this.ledger.stop.aborted) this.noteAnswersIfDue();
			});
		}
	}

	/**
	 * Removes the marks that are not needed any more, in one call at a time.
	 * @throws what n8n's store throws; then the marks are kept for a later call
	 */
	private async noteAnswers(): Promise<void> {
		await this.noting?.catch(() => {});
		const marks = this.toRemove.splice(0);
		if (marks.length === 0) return;
		this.answersWaiting = 0;
		this.noting = this.store
			.remove(marks)
			.catch((error: unknown) => {
				this.toRemove.unshift(...marks);
				throw error;
			})
			.finally(() => {
				this.notedAt = performance.now();
				this.noting = undefined;
			});
		await this.noting;
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		this.noteSettled([...this.unsettled.keys()]);
		const isNoted = await this.noteRest();
		if (!isNoted) {
			this.ledger.hint(
				'n8n could not note for all items that they were sent: a later run will report them as in doubt, and not send them again.',
			);
		}
		if (this.store.hasNoLock) {
			this.ledger.hint(
				"A Remove Duplicates node of this workflow has its 'Scope' set to Workflow, and keeps its values where 'Send Once' would have its lock. While several n8n workers run this workflow at the same moment, an item could be sent twice. Set that node's 'Scope' to Node.",
			);
		}
		this.hintAtFullness();
	}

	/** @returns whether all of it was noted */
	private async noteRest(): Promise<boolean> {
		try {
			await this.noteAnswers();
			if (this.toConfirm.length > 0) await this.store.record(this.toConfirm);
			return true;
		} catch {
			return false;
		}
	}

	private hintAtFullness(): void {
		if (this.keyCount <= this.maxKeys / 2) return;
		const then = this.forgetsOldest
			? 'the oldest are forgotten, and their items would be sent again.'
			: 'no item with a new key is sent.';
		const text =
			this.keyCount >= this.maxKeys
				? `'Send Once' remembers as many keys of this node as it may (${this.maxKeys}): ${then}`
				: `'Send Once' remembers about ${this.keyCount} keys of this node; the limit is ${this.maxKeys}. When it is reached, ${then}`;
		this.ledger.hint(text);
	}
}
