// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are noted as begun before
// their items are sent, and as done after the answers; what was certainly not processed is forgotten.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { type Failure } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { withIncluded, type Job } from '../kinds/job';
import { cancelSignalOf, unlessStopped } from '../n8n';
import {
	forgetAbandoned,
	isKeyInDoubt,
	KeysBegunElsewhere,
	type NotedJob,
} from './keysBegunElsewhere';
import { KeyScope } from './keyScope';
import { MarkQueue } from './markQueue';
import { MarkStore, never } from './markStore';
import { itemsPerNote } from './noteSizes';
import { alreadySent, keyInDoubt, storeFailed, storeFull } from './sendOnceFailures';
import { fullnessHint, noLockHint, notNotedHint, waitedHint } from './sendOnceHints';

/** Marks beyond those of the keys that are remembered: of what is under way, two for each key. */
const spareMarks = 4096;

/** Milliseconds of waiting for other runs of which a person is told. */
const notableWait = 1000;

const endedBefore = 'The execution ended before';

const sendOnceKeyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Array<IDataObject | Failure> {
	const key = sendOnceKeyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, job.values)];
}

/** Jobs in lists whose size is asked for anew for each list. */
async function* inBatches(
	jobs: AsyncIterable<Job> | Iterable<Job>,
	size: () => number,
): AsyncGenerator<Job[]> {
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

	private readonly marks: MarkQueue;

	private readonly begunElsewhere = new KeysBegunElsewhere();

	private constructor(
		private readonly ledger: Ledger,
		private readonly store: MarkStore,
		private readonly scope: KeyScope,
		private readonly maxKeys: number,
		private readonly forgetsOldest: boolean,
		/** Whether 'Send Anyway' counts. */
		private readonly sendsAnyway: boolean,
		/** Aborted when the execution is cancelled: then nobody waits for the end of the run. */
		private readonly cancelled: AbortSignal,
		/** Keys that are remembered, with those that are under way. */
		private keyCount: number,
	) {
		this.marks = new MarkQueue(store);
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
			const keyCount = await unlessStopped(store.count(), ledger.stop);
			if (keyCount === undefined) throw new Error(endedBefore);
			return new SendOnce(
				ledger,
				store,
				new KeyScope(baseUrl, request),
				maxKeys,
				forgetsOldest,
				knowsEarlierSends || allowWhenRetried,
				cancelSignalOf(ctx) ?? never,
				keyCount,
			);
		} catch (error) {
			throw storeFailed(error);
		}
	}

	/**
	 * Notes the jobs as begun, many at a time, and yields those that are to be sent; the others are settled. The next
	 * are noted when all of them are taken. Keys that another run has begun come last: they are waited for until it has
	 * ended, or nobody is sending them any more.
	 */
	async *noteAndAdmit(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		const { begunElsewhere, store, ledger } = this;
		for await (const noted of this.noteAll(jobs)) {
			if (!begunElsewhere.add(noted) && this.admits(noted)) yield noted.job;
		}
		const noteAgain = (waiting: readonly Job[]) => this.noteAll(waiting);
		const settled = begunElsewhere.settled(noteAgain, () => store.callTime, ledger.stop);
		for await (const noted of settled) if (this.admits(noted)) yield noted.job;
	}

	/** Notes jobs as begun. Where n8n's store fails, they are settled as not sent. */
	private async *noteAll(jobs: AsyncIterable<Job> | Iterable<Job>): AsyncGenerator<NotedJob, void> {
		for await (const batch of inBatches(jobs, () => itemsPerNote(this.keyCount))) {
			try {
				yield* await this.note(batch);
			} catch (error) {
				this.ledger.fail(itemIndexesOf(batch), storeFailed(error), 'notSent');
			}
		}
	}

	private async note(batch: readonly Job[]): Promise<NotedJob[]> {
		const { stop } = this.ledger;
		const keys = batch.map(sendOnceKeyOf);
		const recording = this.marks.write(this.scope.marksOfAll(keys), stop);
		const added = await unlessStopped(recording, stop);
		if (!added) {
			this.takeBackLater(recording, keys);
			throw new Error(endedBefore);
		}
		return batch.map((job, at) => {
			const noted = { job, known: this.scope.read(keys[at]!, added) };
			this.marks.remove(noted.known.unneeded);
			// Two marks of it were counted as two keys.
			if (isKeyInDoubt(noted) && !this.unsettled.has(job.itemIndex)) this.keyCount--;
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
			.then((added) => this.store.write({ remove: ofKeys.filter((mark) => added.has(mark)) }))
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
		this.settleOne(itemIndex);
		return false;
	}

	/** To be called when it is entered in the ledger what became of items that were sent. */
	noteSettled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.settleOne(itemIndex);
		this.begunElsewhere.noteWork();
	}

	/** A key gets a better status only by what became of the item in this run. */
	private settleOne(itemIndex: number): void {
		const noted = this.unsettled.get(itemIndex);
		if (!noted) return;
		this.unsettled.delete(itemIndex);
		const { status, begun, open } = noted.known;
		const outcome = this.ledger.outcomeOf(itemIndex);
		if (outcome === 'inDoubt') return;
		if (outcome === 'processed') {
			this.marks.remove(open);
			this.marks.confirm(begun);
			forgetAbandoned(noted);
		} else if (status === 'sent') {
			this.marks.remove(open);
		} else if (status === 'new') {
			this.marks.remove([...open, begun]);
			this.keyCount--;
		}
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		for (const itemIndex of [...this.unsettled.keys()]) this.settleOne(itemIndex);
		const isNoted = await unlessStopped(this.marks.close(), this.cancelled);
		const { ledger, begunElsewhere, keyCount, maxKeys, forgetsOldest } = this;
		if (!isNoted) ledger.hint(notNotedHint);
		if (this.store.hasNoLock) ledger.hint(noLockHint);
		if (begunElsewhere.waitedInVain > notableWait) {
			ledger.hint(waitedHint(begunElsewhere.waitedInVain));
		}
		const fullness = fullnessHint(keyCount, maxKeys, forgetsOldest);
		if (fullness !== undefined) ledger.hint(fullness);
	}
}
