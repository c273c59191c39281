// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are noted before their items
// are sent, and what became of the items is noted after the answers. What was certainly not processed is forgotten.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { addressOf } from '../auth/accountSettings';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import type { ItemOutcome, Result } from '../items/results';
import { withIncluded, type Job } from '../kinds/job';
import { unlessStopped } from '../n8n';
import { forgetAbandoned, KeysElsewhere, type KeyMarks, type NotedJob } from './keysElsewhere';
import { MarkStore } from './markStore';
import { itemsPerNote } from './pace';
import {
	alreadySent,
	fillingHint,
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

/** The key of a job in a run with Send Once. */
const keyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

/**
 * What became of an item in all runs before.
 * @param added the marks that were not there before both were recorded
 */
function earlierOutcome({ sent, open }: KeyMarks, added: ReadonlySet<string>): ItemOutcome {
	// Also without "sent": where n8n forgets the oldest marks, one of the two may be left.
	if (!added.has(open)) return 'inDoubt';
	return added.has(sent) ? 'notProcessed' : 'processed';
}

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Result[] {
	const key = keyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, job.values)];
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

	/** What a key tells items apart in: a service, and an operation. */
	private readonly scope: string;

	/** @param keyCount keys that are remembered, with those that are under way */
	private constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly run: KeyedRun,
		private readonly store: MarkStore,
		private keyCount: number,
	) {
		this.scope = `${addressOf(run.baseUrl)}\n${run.operation.request}`;
	}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(ctx: IExecuteFunctions, run: KeyedRun): Promise<SendOnce> {
		const { ledger, settings } = run;
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
		const maxMarks = sendOnceWhenFull === 'forget' ? maxKeys + spareMarks : undefined;
		try {
			const store = new MarkStore(ctx, maxMarks);
			// Where the run was ended meanwhile, the count does not matter: nothing is sent.
			const keyCount = (await unlessStopped(store.count(), ledger.stop)) ?? 0;
			return new SendOnce(ctx, run, store, keyCount);
		} catch (error) {
			throw storeFailed(error);
		}
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

	/** Notes the keys of jobs, many with one call. Jobs whose keys cannot be noted are settled, and left out. */
	private async *noteAll(jobs: AsyncIterable<Job> | Iterable<Job>): AsyncGenerator<NotedJob, void> {
		const batch: Job[] = [];
		for await (const job of jobs) {
			batch.push(job);
			if (batch.length >= itemsPerNote(this.keyCount)) yield* await this.note(batch.splice(0));
		}
		if (batch.length > 0) yield* await this.note(batch);
	}

	private async note(batch: readonly Job[]): Promise<NotedJob[]> {
		const { store, underWay, run, scope } = this;
		const marked = batch.map((job) => {
			const text = `${scope}\n${keyOf(job)}`;
			return { job, marks: { sent: `sent\n${text}`, open: `open\n${text}` } };
		});
		const all = marked.flatMap(({ marks: { sent, open } }) => [sent, open]);
		const recording = store.record(all, run.ledger.stop);
		try {
			const added = await unlessStopped(recording, run.ledger.stop);
			if (!added) throw new Error('The execution ended before');
			return marked.map(({ job, marks }) => {
				const noted = { job, marks, earlier: earlierOutcome(marks, added) };
				// Two marks of it were counted as two keys.
				if (noted.earlier === 'inDoubt' && !underWay.has(job.itemIndex)) this.keyCount--;
				underWay.set(job.itemIndex, noted);
				return noted;
			});
		} catch (error) {
			// A call that hangs does not hold up a run that was ended: what it notes after all is taken back.
			void recording.then((late) => store.remove([...late])).catch(() => {});
			const itemIndexes = batch.map(({ itemIndex }) => itemIndex);
			run.ledger.fail(itemIndexes, storeFailed(error), 'notSent');
			return [];
		}
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
	private resultsUnsent({ job, earlier }: NotedJob): Result[] | undefined {
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
				const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
				const isFull = this.keyCount > maxKeys && sendOnceWhenFull !== 'forget';
				return isFull ? [storeFull(keyOf(job), maxKeys)] : undefined;
			}
		}
	}

	/** To be called when it is entered in the ledger what became of items that were sent. */
	settled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.noteOutcome(itemIndex);
		this.keysElsewhere.noteWork();
	}

	private noteOutcome(itemIndex: number): void {
		const noted = this.underWay.get(itemIndex);
		if (!noted) return;
		this.underWay.delete(itemIndex);
		const { earlier, marks } = noted;
		const outcome = this.run.ledger.outcomeOf(itemIndex);
		// What was not processed in this run leaves its key as it was before.
		const known = outcome === 'notProcessed' ? earlier : outcome;
		if (known === 'inDoubt') return;
		this.store.remove(known === 'processed' ? [marks.open] : [marks.open, marks.sent]);
		if (known === 'notProcessed') this.keyCount--;
		forgetAbandoned(noted);
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { ledger, settings } = this.run;
		for (const itemIndex of [...this.underWay.keys()]) this.noteOutcome(itemIndex);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = this.ctx.getExecutionCancelSignal() ?? never;
		const isNoted = await unlessStopped(this.store.close(), cancelled);
		if (!isNoted) ledger.hint(notNotedHint);
		const { waitedInVain } = this.keysElsewhere;
		if (waitedInVain > notableWait) ledger.hint(waitedHint(waitedInVain));
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(fillingHint(this.keyCount, settings));
	}
}
