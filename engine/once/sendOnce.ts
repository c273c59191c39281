// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are claimed before their
// items are sent, and outcomes are recorded after the responses. What was certainly not processed is forgotten.
import type { Operation } from '../area';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { recordStateOf, type Result } from '../items/itemState';
import type { Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import { Key } from './key';
import { MarkStore } from './markStore';
import * as say from './sendOnceMessages';
import { objectOrEmpty } from '../values/formInputs';
import { claimBatchSize, timing } from './timing';

/** Marks in addition to those of remembered keys: for items in progress, three per key. */
const spareMarks = 4096;

/** The result of an item that an earlier run has sent. Its fields may have changed since, so they are not shown as sent. */
const resultsOfSent = ({ job: { values }, value: key }: Key): Result[] => [
	{ ...(values.settings.include === 'inputItem' && values.includedFields), alreadySent: true, key },
];

/** A run whose items have keys. */
interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	/** Of the first item. */
	settings: Settings;
	/** Of the service. */
	baseUrl: string;
}

/** @returns how many keys are remembered; a hint says so if there are none */
async function countKeys(store: MarkStore, ledger: Ledger): Promise<number> {
	const count = await unlessStopped(store.count(), ledger.stop);
	if (count === 0) ledger.hint(say.newHereHint);
	// Where the run was ended meanwhile, the count does not matter: nothing is sent.
	return count ?? 0;
}

/** Where items with keys were only checked: what sending them would do is told before they are sent. */
export async function lookForKeys(ledger: Ledger): Promise<void> {
	const { ctx } = ledger;
	const isChecked = ledger.items.some(({ checked, key }) => checked && key !== undefined);
	// A store that cannot be read keeps nothing from being checked.
	if (isChecked && ctx.getWorkflow().id)
		await countKeys(new MarkStore(ctx, ledger.stop), ledger).catch(() => {});
}

export class SendOnce {
	/** Keys by item, from their claim until the outcomes of their items are known. */
	private readonly keys = new Map<number, Key>();

	/** @param keyCount keys that are remembered, with those of items in progress */
	private constructor(
		private readonly run: KeyedRun,
		private readonly store: MarkStore,
		private keyCount: number,
	) {}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(run: KeyedRun): Promise<SendOnce> {
		const { ledger, settings } = run;
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
		const maxEntries = sendOnceWhenFull === 'forget' ? maxKeys + spareMarks : undefined;
		try {
			const store = new MarkStore(ledger.ctx, ledger.stop, { mode: 'entries', maxEntries });
			return new SendOnce(run, store, await countKeys(store, ledger));
		} catch (error) {
			throw say.storeFailed(error);
		}
	}

	/**
	 * Claims the keys of jobs, many at a time, and yields the jobs of each claim that are to be sent; the others are
	 * settled. Keys in doubt come last, since another run may be sending
	 * their items: they are polled until it has recorded the outcomes, or has been silent for too long. Jobs of keys
	 * that are still polled when the run is stopped stay as they are.
	 */
	async *admit(jobs: readonly Job[]): AsyncGenerator<readonly Job[], void> {
		const { run } = this;
		const { stop } = run.ledger;
		void this.keepAlive();
		for (let round = jobs; ; ) {
			const waiting: Key[] = [];
			for await (const claimed of this.claimAll(round)) {
				waiting.push(...claimed.filter(({ isAwaited }) => isAwaited));
				const known = claimed.filter(({ isAwaited }) => !isAwaited);
				yield known.filter((key) => !this.settledUnsent(key)).map(({ job }) => job);
			}
			for (const { itemIndex, value } of waiting)
				run.ledger.setOpen(itemIndex, say.keyAwaited(value));
			if (waiting.length === 0 || stop.aborted) return;
			await wait(timing.pollInterval, stop);
			round = waiting.map(({ job }) => job);
		}
	}

	/** Claims the keys of jobs, many with one call. */
	private async *claimAll(jobs: readonly Job[]): AsyncGenerator<readonly Key[], void> {
		for (let at = 0; at < jobs.length; ) {
			const batch = jobs.slice(at, at + claimBatchSize(this.keyCount, this.ours.length));
			yield await this.claim(batch);
			at += batch.length;
		}
	}

	/**
	 * Claims the keys of jobs with one call. If it fails, the jobs are settled as not sent; nobody is to look those in
	 * doubt up as long as another run may send them. If the run is stopped, the jobs are left as they are, and what the
	 * call claims after all is taken back.
	 * @returns the keys; none if the call has failed, or the run is stopped
	 */
	private async claim(batch: readonly Job[]): Promise<readonly Key[]> {
		const { ledger } = this.run;
		const keys = batch.map((job) => this.keys.get(job.itemIndex) ?? this.newKey(job));
		for (const key of keys) this.keys.set(key.itemIndex, key);
		const called = this.store.claim(keys).then(() => keys);
		try {
			const claimed = await unlessStopped(called, ledger.stop);
			if (claimed) return claimed;
			void called.then(() => keys.forEach((key) => this.recordOutcome(key))).catch(() => {});
		} catch (error) {
			for (const { itemIndex, value, earlier } of keys) {
				this.keys.delete(itemIndex);
				const failure = earlier === 'inDoubt' ? say.keyAwaited(value) : say.storeFailed(error);
				ledger.settle(itemIndex, [failure]);
			}
		}
		return [];
	}

	/** After a run that died, what a person has found out is out of date: the item may be what that run has sent. */
	private newKey(job: Job): Key {
		const { baseUrl, operation, ledger } = this.run;
		const { sendOnceInDoubt } = job.values.settings;
		const scope = `${baseUrl}\n${operation.route}`;
		return new Key(job, scope, ledger.unknownSends ? 'leave' : sendOnceInDoubt);
	}

	/** Shows other runs that this one will send items, as long as it will. */
	private async keepAlive(): Promise<void> {
		const { heartbeatInterval } = timing;
		const { closing } = this.store;
		while (!closing.aborted) {
			// A key that was claimed just before a look does not wait for the next one but one.
			const isDue = this.ours.some(({ leaseAge }) => leaseAge() >= heartbeatInterval / 2);
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

	private keysOf(itemIndexes: readonly number[]): Key[] {
		return itemIndexes.flatMap((itemIndex) => this.keys.get(itemIndex) ?? []);
	}

	/**
	 * To be called right before jobs are sent.
	 * @throws Failure when another run may be sending them: this process has stood still, or could send no heartbeat
	 */
	async assertHeld(itemIndexes: readonly number[]): Promise<void> {
		const keys = this.keysOf(itemIndexes);
		if (keys.every(({ isHeld }) => isHeld)) return;
		await this.sendHeartbeats();
		if (keys.every(({ isHeld }) => isHeld)) return;
		for (const key of keys) key.isOurs = false;
		throw say.keyInDoubt();
	}

	/** Settles an item that is not sent because of its key. @returns whether it is one */
	private settledUnsent(key: Key): boolean {
		if (key.earlier === 'notProcessed') this.keyCount++;
		const results = this.resultsUnsent(key);
		if (!results) return false;
		this.run.ledger.settle(key.itemIndex, results);
		this.recordOutcome(key);
		return true;
	}

	/** The results of an item that is not sent because of its key; undefined when it is to be sent. */
	private resultsUnsent(key: Key): Result[] | undefined {
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = this.run.settings;
		if (key.earlier === 'processed') return resultsOfSent(key);
		if (key.earlier === 'inDoubt') {
			if (!key.isOurs) return [say.keyInDoubt(key.value)];
			return key.lookedUp === 'areThere' ? resultsOfSent(key) : undefined;
		}
		const isFull = this.keyCount > maxKeys && sendOnceWhenFull !== 'forget';
		return isFull ? [say.storeFull(key.value, maxKeys)] : undefined;
	}

	/** To be called when the outcomes of items that were sent are in the ledger. */
	settled(itemIndexes: readonly number[]): void {
		for (const key of this.keysOf(itemIndexes)) this.recordOutcome(key);
	}

	private recordOutcome(key: Key): void {
		if (!key.isOurs || !this.keys.delete(key.itemIndex)) return;
		const { earlier, sent, open, sending, heartbeat } = key;
		const outcome = recordStateOf(this.run.ledger.items[key.itemIndex]!.results);
		// What was not processed in this run leaves its key as it was before.
		const known = outcome === 'notProcessed' ? earlier : outcome;
		const over = heartbeat ? [sending, heartbeat] : [sending];
		if (known !== 'inDoubt') over.push(open);
		if (known === 'notProcessed') {
			over.push(sent);
			this.keyCount--;
		}
		this.store.remove(over, known === 'processed' ? undefined : key);
	}

	/** Records the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { run, store, keys } = this;
		const { ledger, settings } = run;
		for (const key of [...keys.values()]) this.recordOutcome(key);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ledger.cancelled ?? neverAborted;
		const isRecorded = await unlessStopped(store.close(), cancelled);
		if (!isRecorded) ledger.hint(say.unrecordedHint);
		// An expression answers for each row.
		const { sendOnceInDoubt } = objectOrEmpty(ledger.ctx.getNode().parameters.options);
		if (settings.sendOnceInDoubt !== 'leave' && !/^=/.test(sendOnceInDoubt as string))
			ledger.hint(say.answeredHint);
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(say.fillingHint(this.keyCount, settings));
	}
}
