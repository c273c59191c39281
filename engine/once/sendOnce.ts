// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are claimed before their
// items are sent, and outcomes are recorded after the answers. What was certainly not processed is forgotten.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { addressOf } from '../auth/accountSettings';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import type { Result } from '../items/results';
import { withIncluded, type Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { Heartbeats } from './heartbeats';
import { Key } from './key';
import { MarkStore } from './markStore';
import {
	alreadySent,
	fillingHint,
	keyInDoubt,
	storeFailed,
	storeFull,
	unrecordedHint,
	waitedHint,
} from './sendOnceMessages';
import { neverAborted } from './storeCalls';
import { claimBatchSize, timing } from './timing';

/** Marks beyond those of the keys that are remembered: of items in progress, two for each key. */
const spareMarks = 4096;

/** Minimum wait (ms) for other runs that a hint reports. */
const notableWait = 1000;

/** Minimum interval between two polls, as a multiple of the store's call time. */
const pollsApart = 40;

const asksForAnyway = ({ values }: Job): boolean =>
	(values.settings.sendOnceAnyway ?? 'nothing') !== 'nothing';

/** The results of an item that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent({ job: { values }, value: key }: Key): Result[] {
	const { sendOnceIfSent } = values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, values)];
}

/** A run whose items have keys. */
interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	/** Of the first item. */
	settings: Settings;
	/** Of the service. */
	baseUrl: string;
	/** Whether we know what the run being retried sent. */
	knowsEarlierSends: boolean;
}

export class SendOnce {
	/** Claimed keys, by item, until the outcomes of their items are known. */
	private readonly keys = new Map<number, Key>();

	private readonly heartbeats = new Heartbeats();

	/** Since when the run has nothing to do but to wait. */
	private idleSince = 0;

	/** Milliseconds spent idle, waiting for keys that no run answered for. */
	private idleWait = 0;

	/** Keys are unique within a service and an operation. */
	private readonly scope: string;

	/** @param keyCount keys that are remembered, with those of items in progress */
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
	 * Claims the keys of jobs, many at a time, and yields the jobs that are to be sent; the others are settled. The next
	 * keys are claimed when all of these jobs are taken. Jobs whose keys another run may be sending come last.
	 */
	async *admit(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		void this.keepAlive();
		const contended: Key[] = [];
		for await (const key of this.claimAll(jobs, false)) {
			if (key.earlier === 'inDoubt') contended.push(key);
			else if (this.admits(key)) yield key.job;
		}
		yield* this.awaitOtherRuns(contended);
	}

	/**
	 * Polls keys in doubt until the run that may be sending their items has recorded the outcomes, or has been silent for
	 * too long. Jobs of keys that are still waited for at the end of the run are left as they are.
	 */
	private async *awaitOtherRuns(waiting: Key[]): AsyncGenerator<Job, void> {
		const { heartbeats, store, run } = this;
		const { stop } = run.ledger;
		for (const key of waiting) if (key.heartbeatsSeen) heartbeats.observe(key, key.heartbeatsSeen);
		this.restartIdleTime();
		while (waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(timing.pollInterval, pollsApart * store.callTime), stop);
			const dead: Key[] = [];
			const polled = waiting.splice(0).map(({ job }) => job);
			for await (const key of this.claimAll(polled, true)) {
				const sign = heartbeats.observe(key, key.heartbeatsSeen!);
				key.otherRunIsAlive ||= sign === 'alive';
				if (key.earlier === 'inDoubt') (sign === 'dead' ? dead : waiting).push(key);
				else if (this.admits(key)) yield key.job;
			}
			for (const key of await this.takeOver(dead)) {
				if (!key.isOurs) waiting.push(key);
				else if (this.admits(key)) yield key.job;
			}
		}
	}

	private restartIdleTime(): void {
		this.idleSince = performance.now();
		this.idleWait = 0;
	}

	/**
	 * Claims the keys of jobs, many with one call. Jobs whose keys cannot be claimed are settled, and left out.
	 * @param isPoll whether this run has claimed them before, and found that another run had
	 */
	private async *claimAll(
		jobs: AsyncIterable<Job> | Iterable<Job>,
		isPoll: boolean,
	): AsyncGenerator<Key, void> {
		const batch: Job[] = [];
		let batchSize = 0;
		for await (const job of jobs) {
			if (batch.length === 0) batchSize = claimBatchSize(this.keyCount, this.ours.length);
			batch.push(job);
			if (batch.length >= batchSize) yield* await this.claim(batch.splice(0), isPoll);
		}
		if (batch.length > 0) yield* await this.claim(batch, isPoll);
	}

	private async claim(batch: readonly Job[], isPoll: boolean): Promise<Key[]> {
		const { scope, store, run } = this;
		const { stop } = run.ledger;
		const keys = batch.map((job) => this.keys.get(job.itemIndex) ?? new Key(job, scope));
		// A person has just looked an item up: whatever another run does with it from now on is to be seen.
		const claiming = store.claim(keys, isPoll || batch.some(asksForAnyway), stop).then(() => true);
		try {
			if (!(await unlessStopped(claiming, stop))) throw new Error('The execution ended before');
		} catch (error) {
			this.fail(keys, error);
			// A call that hangs does not hold up a run that was ended: what it claims after all is taken back.
			void claiming.then(() => keys.forEach((key) => this.recordOutcome(key))).catch(() => {});
			return [];
		}
		for (const key of keys) {
			this.keys.set(key.itemIndex, key);
			// Two marks of it were counted as two keys.
			if (key.earlier === 'inDoubt' && !isPoll) this.keyCount--;
		}
		return keys;
	}

	/** Settles the jobs of keys that the store does not give. */
	private fail(keys: readonly Key[], error: unknown): void {
		const itemIndexes = keys.map(({ itemIndex }) => itemIndex);
		for (const itemIndex of itemIndexes) this.keys.delete(itemIndex);
		this.run.ledger.fail(itemIndexes, storeFailed(error), 'notSent');
	}

	/** Whether a job is to be sent; if not, it is settled. */
	private admits(key: Key): boolean {
		if (key.earlier === 'notProcessed') this.keyCount++;
		const results = this.resultsUnsent(key);
		if (!results) return true;
		this.run.ledger.settle(key.itemIndex, results);
		this.recordOutcome(key);
		return false;
	}

	/**
	 * Takes over keys of silent runs: once a person reads that an item is in doubt, no run that has not sent it by then
	 * will. Jobs whose keys cannot be taken over are settled.
	 * @returns the other keys: ours, or claimed by a run that has lived after all
	 */
	private async takeOver(keys: readonly Key[]): Promise<readonly Key[]> {
		if (keys.length === 0) return [];
		const { stop } = this.run.ledger;
		for (const key of keys) key.willSend = !this.resultsUnsent(key);
		try {
			await unlessStopped(this.store.takeOver(keys, stop), stop);
		} catch (error) {
			this.fail(keys, error);
			return [];
		}
		for (const key of keys) key.otherRunIsAlive ||= !key.isOurs;
		if (keys.some(({ isOurs }) => isOurs)) this.idleWait = performance.now() - this.idleSince;
		return keys;
	}

	/** Shows other runs that this one will send items, as long as it will. */
	private async keepAlive(): Promise<void> {
		const { heartbeatInterval, leaseTime } = timing;
		const { closing } = this.store;
		while (!closing.aborted) {
			const latest = performance.now() + leaseTime - heartbeatInterval;
			const isDue = this.ours.some(({ leaseEnd }) => leaseEnd <= latest);
			if (isDue) await this.sendHeartbeats();
			await wait(heartbeatInterval, closing);
		}
	}

	private get ours(): Key[] {
		return [...this.keys.values()].filter(({ isOurs }) => isOurs);
	}

	private async sendHeartbeats(): Promise<void> {
		const { ours, store } = this;
		await store.sendHeartbeats(ours).catch(() => {});
		for (const { itemIndex, isOurs, heartbeat } of ours) {
			// The outcome of the item is known by now.
			const isOver = isOurs && !this.keys.has(itemIndex);
			if (isOver && heartbeat) store.remove([heartbeat]);
		}
	}

	/**
	 * To be called right before jobs are sent.
	 * @throws Failure when another run may be sending them: this process has stood still, or could send no heartbeat
	 */
	async assertHeld(itemIndexes: readonly number[]): Promise<void> {
		const keys = itemIndexes.flatMap((itemIndex) => this.keys.get(itemIndex) ?? []);
		if (keys.every(({ isHeld }) => isHeld)) return;
		await this.sendHeartbeats();
		const lost = keys.find(({ isHeld }) => !isHeld);
		if (!lost) return;
		for (const key of keys) key.isOurs = false;
		throw keyInDoubt(lost.value);
	}

	/** The results of an item that is not sent because of its key; undefined when it is to be sent. */
	private resultsUnsent(key: Key): Result[] | undefined {
		const { knowsEarlierSends, settings } = this.run;
		// After a run that died, 'Send Anyway' may name what that run has sent anyway.
		const allowsAnyway = knowsEarlierSends || settings.allowWhenRetried;
		const anyway = (allowsAnyway && key.job.values.settings.sendOnceAnyway) || 'nothing';
		switch (key.earlier) {
			case 'processed':
				return anyway === 'all' ? undefined : resultsOfSent(key);
			case 'inDoubt':
				return anyway === 'nothing' || key.otherRunIsAlive ? [keyInDoubt(key.value)] : undefined;
			case 'notProcessed': {
				const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
				const isFull = this.keyCount > maxKeys && sendOnceWhenFull !== 'forget';
				return isFull ? [storeFull(key.value, maxKeys)] : undefined;
			}
		}
	}

	/** To be called when the outcomes of items that were sent are in the ledger. */
	settled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) {
			const key = this.keys.get(itemIndex);
			if (key) this.recordOutcome(key);
		}
		this.restartIdleTime();
	}

	private recordOutcome(key: Key): void {
		const { itemIndex, earlier, sent, open, takenOver, heartbeat = [] } = key;
		this.keys.delete(itemIndex);
		const outcome = this.run.ledger.outcomeOf(itemIndex);
		// What was not processed in this run leaves its key as it was before.
		const known = outcome === 'notProcessed' ? earlier : outcome;
		if (!key.isOurs || known === 'inDoubt') return;
		const over = [open].concat(heartbeat);
		if (known === 'notProcessed') {
			over.push(sent);
			this.keyCount--;
		} else if (earlier === 'inDoubt') over.push(takenOver);
		this.store.remove(over, outcome === 'notProcessed' ? key : undefined);
	}

	/** Records the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { ctx, run, store, keys, idleWait } = this;
		const { ledger, settings } = run;
		for (const key of [...keys.values()]) this.recordOutcome(key);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ctx.getExecutionCancelSignal() ?? neverAborted;
		const isRecorded = await unlessStopped(store.close(), cancelled);
		if (!isRecorded) ledger.hint(unrecordedHint);
		if (idleWait > notableWait) ledger.hint(waitedHint(idleWait));
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(fillingHint(this.keyCount, settings));
	}
}
