// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are noted before their items
// are sent, and what became of the items is noted after the answers. What was certainly not processed is forgotten.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import type { Failure } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { withIncluded, type Job } from '../kinds/job';
import { cancelSignalOf, unlessStopped } from '../n8n';
import { earlierOutcome, keyOf, keyScope, marksOf, type NotedJob } from './keys';
import { forgetAbandoned, KeysElsewhere } from './keysElsewhere';
import { MarkStore } from './markStore';
import { itemsPerNote } from './pace';
import {
	alreadySent,
	fullnessHint,
	keyInDoubt,
	notNotedHint,
	storeFailed,
	storeFull,
	waitedHint,
} from './sendOnceMessages';
import { never } from './storeCalls';

/** Marks beyond those of the keys that are remembered: of what is under way, two for each key. */
const spareMarks = 4096;

/** Milliseconds of waiting for other runs of which a person is told. */
const notableWait = 1000;

type Results = Array<IDataObject | Failure>;

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Results {
	const key = keyOf(job);
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

/** A run whose items have keys. */
interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	/** Of the first item. */
	settings: Settings;
	/** Of the service. */
	baseUrl: string;
	/** Whether it is known what a run that this one is the retry of has sent. */
	knowsEarlierSends: boolean;
}

export class SendOnce {
	/** Jobs whose keys are noted, by item, until it is known what became of them. */
	private readonly underWay = new Map<number, NotedJob>();

	private readonly keysElsewhere = new KeysElsewhere();

	private readonly scope: string;

	private readonly maxKeys: number;

	private readonly forgetsOldest: boolean;

	private readonly store: MarkStore;

	/** Keys that are remembered, with those that are under way. */
	private keyCount = 0;

	private constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly run: KeyedRun,
	) {
		const { operation, settings, baseUrl } = run;
		this.scope = keyScope(baseUrl, operation.request);
		this.maxKeys = settings.sendOnceRemember;
		this.forgetsOldest = settings.sendOnceWhenFull === 'forget';
		this.store = new MarkStore(ctx, this.forgetsOldest ? this.maxKeys + spareMarks : undefined);
	}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(ctx: IExecuteFunctions, run: KeyedRun): Promise<SendOnce> {
		try {
			const sendOnce = new SendOnce(ctx, run);
			sendOnce.keyCount = await sendOnce.unlessEnded(sendOnce.store.count());
			return sendOnce;
		} catch (error) {
			throw storeFailed(error);
		}
	}

	/** @throws Error when the run ends before; what the work gives then is lost */
	private async unlessEnded<Value>(work: Promise<Value>): Promise<Value> {
		const value = await unlessStopped(work, this.run.ledger.stop);
		if (value === undefined) throw new Error('The execution ended before');
		return value;
	}

	/**
	 * Notes the keys of jobs, many at a time, and yields the jobs that are to be sent; the others are settled. The next
	 * are noted when all of them are taken. Jobs whose keys another run may be sending come last.
	 */
	async *admit(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		const { keysElsewhere, store, run } = this;
		for await (const noted of this.noteAll(jobs)) {
			if (!keysElsewhere.add(noted) && this.admits(noted)) yield noted.job;
		}
		const noteAgain = (waiting: readonly Job[]) => this.noteAll(waiting);
		const changed = keysElsewhere.changed(noteAgain, () => store.callTime, run.ledger.stop);
		for await (const noted of changed) if (this.admits(noted)) yield noted.job;
	}

	/** Notes the keys of jobs. Where n8n's store fails, the jobs are settled as not sent. */
	private async *noteAll(jobs: AsyncIterable<Job> | Iterable<Job>): AsyncGenerator<NotedJob, void> {
		for await (const batch of inBatches(jobs, () => itemsPerNote(this.keyCount))) {
			try {
				yield* await this.note(batch);
			} catch (error) {
				const itemIndexes = batch.map(({ itemIndex }) => itemIndex);
				this.run.ledger.fail(itemIndexes, storeFailed(error), 'notSent');
			}
		}
	}

	private async note(batch: readonly Job[]): Promise<NotedJob[]> {
		const { store, underWay, run } = this;
		const marked = batch.map((job) => ({ job, marks: marksOf(this.scope, keyOf(job)) }));
		const all = marked.flatMap(({ marks: { sent, open } }) => [sent, open]);
		const recording = store.record(all, run.ledger.stop);
		const added = await this.unlessEnded(recording).catch((error: unknown) => {
			// A call that hangs does not hold up a run that was ended: what it notes after all is taken back.
			void recording.then((late) => store.remove([...late])).catch(() => {});
			throw error;
		});
		return marked.map(({ job, marks }) => {
			const noted = { job, marks, earlier: earlierOutcome(marks, added) };
			// Two marks of it were counted as two keys.
			if (noted.earlier === 'inDoubt' && !underWay.has(job.itemIndex)) this.keyCount--;
			underWay.set(job.itemIndex, noted);
			return noted;
		});
	}

	/** Whether a job is to be sent; if not, it is settled. */
	private admits(noted: NotedJob): boolean {
		if (noted.earlier === 'notProcessed') this.keyCount++;
		const results = this.resultsUnsent(noted);
		if (!results) return true;
		const { itemIndex } = noted.job;
		this.run.ledger.settle(itemIndex, results);
		this.noteOutcome(itemIndex);
		return false;
	}

	/** What an item gives that is not sent because of its key; undefined when it is to be sent. */
	private resultsUnsent({ job, earlier }: NotedJob): Results | undefined {
		const { knowsEarlierSends, settings } = this.run;
		// After a run that died, 'Send Anyway' may name what that run has sent anyway.
		const asksForAnyway = knowsEarlierSends || settings.allowWhenRetried;
		const anyway = (asksForAnyway && job.values.settings.sendOnceAnyway) || 'nothing';
		switch (earlier) {
			case 'processed':
				return anyway === 'all' ? undefined : resultsOfSent(job);
			case 'inDoubt':
				return anyway === 'nothing' ? [keyInDoubt(keyOf(job))] : undefined;
			case 'notProcessed': {
				const isFull = this.keyCount > this.maxKeys && !this.forgetsOldest;
				return isFull ? [storeFull(keyOf(job), this.maxKeys)] : undefined;
			}
		}
	}

	/** To be called when it is entered in the ledger what became of items that were sent. */
	settled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.noteOutcome(itemIndex);
		this.keysElsewhere.noteWork();
	}

	/** Removes marks by what became of the item in this run: one that was not sent now leaves what was known before. */
	private noteOutcome(itemIndex: number): void {
		const noted = this.underWay.get(itemIndex);
		if (!noted) return;
		this.underWay.delete(itemIndex);
		const { earlier, marks } = noted;
		const outcome = this.run.ledger.outcomeOf(itemIndex);
		if (outcome === 'processed') {
			this.store.remove([marks.open]);
			forgetAbandoned(noted);
		} else if (outcome === 'notProcessed' && earlier === 'processed') {
			this.store.remove([marks.open]);
		} else if (outcome === 'notProcessed' && earlier === 'notProcessed') {
			this.store.remove([marks.open, marks.sent]);
			this.keyCount--;
		}
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { keysElsewhere, run } = this;
		for (const itemIndex of [...this.underWay.keys()]) this.noteOutcome(itemIndex);
		// When the execution is cancelled, nobody waits for the end of the run.
		const isNoted = await unlessStopped(this.store.close(), cancelSignalOf(this.ctx) ?? never);
		if (!isNoted) run.ledger.hint(notNotedHint);
		if (keysElsewhere.waitedInVain > notableWait) {
			run.ledger.hint(waitedHint(keysElsewhere.waitedInVain));
		}
		const fullness = fullnessHint(this.keyCount, this.maxKeys, this.forgetsOldest);
		if (fullness !== undefined) run.ledger.hint(fullness);
	}
}
