// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are noted before their items
// are sent, and what became of the items is noted after the answers. What was certainly not processed is forgotten.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { addressOf } from '../auth/accountSettings';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import type { ItemOutcome, Result } from '../items/results';
import { outputOf, type Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { marksOf, type KeyMarks } from './claim';
import { KeysElsewhere, type NotedJob } from './keysElsewhere';
import { MarkStore } from './markStore';
import { itemsPerNote, waitingTimes } from './pace';
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

const asksForAnyway = ({ values }: Job): boolean =>
	(values.settings.sendOnceAnyway ?? 'nothing') !== 'nothing';

const lastSignOf = ({ sign }: NotedJob): string[] => (sign === undefined ? [] : [sign]);

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Result[] {
	const key = keyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [outputOf(job.values, { alreadySent: true, key })];
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

	/** Aborted at the end of the run. */
	private readonly closing = new AbortController();

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
		void this.keepAlive();
		for await (const noted of this.noteAll(jobs, false)) {
			if (!keysElsewhere.add(noted) && this.admits(noted)) yield noted.job;
		}
		const look = (waiting: readonly Job[]) => this.noteAll(waiting, true);
		const takeOver = (waiting: readonly NotedJob[]) => this.takeOver(waiting);
		const callTime = () => store.callTime;
		const changed = keysElsewhere.changed(look, takeOver, callTime, run.ledger.stop);
		for await (const noted of changed) if (this.admits(noted)) yield noted.job;
	}

	/**
	 * Notes the keys of jobs, many with one call. Jobs whose keys cannot be noted are settled, and left out.
	 * @param isAgain whether this run has noted them before, and found that another run had
	 */
	private async *noteAll(
		jobs: AsyncIterable<Job> | Iterable<Job>,
		isAgain: boolean,
	): AsyncGenerator<NotedJob, void> {
		const batch: Job[] = [];
		let batchSize = 0;
		for await (const job of jobs) {
			if (batch.length === 0) batchSize = itemsPerNote(this.keyCount, this.claims.length);
			batch.push(job);
			if (batch.length >= batchSize) yield* await this.note(batch.splice(0), isAgain);
		}
		if (batch.length > 0) yield* await this.note(batch, isAgain);
	}

	private async note(batch: readonly Job[], isAgain: boolean): Promise<NotedJob[]> {
		const { store, underWay, run, scope } = this;
		// A person has just looked an item up: whatever another run does with it from now on is to be seen.
		const isLook = isAgain || batch.some(asksForAnyway);
		const noted = batch.map((job): NotedJob => {
			const marks = marksOf(`${scope}\n${keyOf(job)}`);
			const unknown = { earlier: 'inDoubt', signsSeen: [], isToBeSent: false } as const;
			return { job, marks, heldUntil: 0, isLook, ...unknown };
		});
		const { stop } = run.ledger;
		const claiming = isLook ? store.look(noted, stop) : store.claim(noted, stop);
		try {
			const added = await unlessStopped(claiming, stop);
			if (!added) throw new Error('The execution ended before');
			for (const entry of noted) {
				entry.earlier = earlierOutcome(entry.marks, added);
				entry.signsSeen = isLook ? entry.marks.signs.filter((sign) => !added.has(sign)) : [];
				// Two marks of it were counted as two keys.
				if (entry.earlier === 'inDoubt' && !isAgain) this.keyCount--;
				underWay.set(entry.job.itemIndex, entry);
			}
			return noted;
		} catch (error) {
			// A call that hangs does not hold up a run that was ended: what it notes after all is taken back.
			const takeBack = (late: ReadonlySet<string>) => {
				for (const claim of noted) {
					const { sent, open } = claim.marks;
					store.remove(
						[sent, open].filter((mark) => late.has(mark)),
						claim,
					);
				}
			};
			void claiming.then(takeBack).catch(() => {});
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

	/**
	 * Takes over keys of which no run answers. So when a person reads that an item is in doubt, no run will send it any
	 * more that has not sent it by then. Jobs for which that is not possible are settled.
	 * @returns those of the jobs whose keys are taken over; undefined when that is not possible
	 */
	private async takeOver(jobs: readonly NotedJob[]): Promise<readonly NotedJob[] | undefined> {
		const { stop } = this.run.ledger;
		for (const noted of jobs) noted.isToBeSent = !this.resultsUnsent(noted);
		try {
			const taken = await unlessStopped(this.store.takeOver(jobs, stop), stop);
			const takenJobs = taken && jobs.filter((noted) => taken.has(noted));
			for (const noted of takenJobs ?? []) noted.isTakenOver = true;
			return takenJobs;
		} catch (error) {
			const itemIndexes = jobs.map(({ job }) => job.itemIndex);
			this.run.ledger.fail(itemIndexes, storeFailed(error), 'notSent');
			return undefined;
		}
	}

	/** Shows other runs that this one will send items, as long as it will. */
	private async keepAlive(): Promise<void> {
		const { signal } = this.closing;
		const { signInterval, heldFor } = waitingTimes;
		for (;;) {
			await wait(signInterval, signal);
			if (signal.aborted) return;
			const latest = performance.now() + heldFor - signInterval;
			const isDue = this.claims.some(({ heldUntil }) => heldUntil <= latest);
			if (isDue) await this.giveSigns();
		}
	}

	/** The jobs whose keys are this run's: those that it waits for are another's. */
	private get claims(): NotedJob[] {
		return [...this.underWay.values()].filter(
			({ earlier, isTakenOver, isLost }) => !isLost && (earlier !== 'inDoubt' || isTakenOver),
		);
	}

	private async giveSigns(): Promise<void> {
		const { claims, store } = this;
		const held = await store.giveSigns(claims).catch(() => undefined);
		for (const noted of claims) {
			if (held && !held.has(noted)) noted.isLost = true;
			// It is known by now what became of the item.
			else if (!this.underWay.has(noted.job.itemIndex)) store.remove(lastSignOf(noted));
		}
	}

	/**
	 * To be called right before jobs are sent.
	 * @throws Failure when another run may be sending them: this process has stood still, or could give no sign of life
	 */
	async assertHeld(itemIndexes: readonly number[]): Promise<void> {
		const noted = itemIndexes.flatMap((itemIndex) => this.underWay.get(itemIndex) ?? []);
		const isHeld = ({ heldUntil, isLost }: NotedJob) => !isLost && heldUntil > performance.now();
		if (noted.every(isHeld)) return;
		await this.giveSigns();
		const lost = noted.find((entry) => !isHeld(entry));
		if (!lost) return;
		for (const entry of noted) entry.isLost = true;
		throw keyInDoubt(keyOf(lost.job));
	}

	/** What an item gives that is not sent because of its key; undefined when it is to be sent. */
	private resultsUnsent({ job, earlier, hasOtherLived }: NotedJob): Result[] | undefined {
		const { knowsEarlierSends, settings } = this.run;
		// After a run that died, 'Send Anyway' may name what that run has sent anyway.
		const allowsAnyway = knowsEarlierSends || settings.allowWhenRetried;
		const anyway = (allowsAnyway && job.values.settings.sendOnceAnyway) || 'nothing';
		switch (earlier) {
			case 'processed':
				return anyway === 'all' ? undefined : resultsOfSent(job);
			case 'inDoubt':
				return anyway === 'nothing' || hasOtherLived ? [keyInDoubt(keyOf(job))] : undefined;
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
		const { earlier, marks, isLost } = noted;
		if (isLost) return;
		const outcome = this.run.ledger.outcomeOf(itemIndex);
		// What was not processed in this run leaves its key as it was before.
		const known = outcome === 'notProcessed' ? earlier : outcome;
		if (known === 'inDoubt') return;
		const over = [marks.open, ...lastSignOf(noted)];
		if (known === 'notProcessed') {
			this.store.remove([...over, marks.sent], noted);
			this.keyCount--;
		} else this.store.remove(earlier === 'inDoubt' ? [...over, marks.takenOver] : over);
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { ledger, settings } = this.run;
		for (const itemIndex of [...this.underWay.keys()]) this.noteOutcome(itemIndex);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = this.ctx.getExecutionCancelSignal() ?? never;
		this.closing.abort();
		const isNoted = await unlessStopped(this.store.close(), cancelled);
		if (!isNoted) ledger.hint(notNotedHint);
		const { waitedInVain } = this.keysElsewhere;
		if (waitedInVain > notableWait) ledger.hint(waitedHint(waitedInVain));
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(fillingHint(this.keyCount, settings));
	}
}
