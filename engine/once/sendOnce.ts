// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are claimed before their
// items are sent, and outcomes are recorded after the responses. What was certainly not processed is forgotten.
import type { Operation } from '../area';
import type { Ledger } from '../items/ledger';
import { isFailure, recordStateOf, type Result } from '../items/itemState';
import type { Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import { fingerprints } from './fingerprint';
import { Key } from './key';
import { expressionOf, isTool, type Sample } from './keyRules';
import { MarkStore } from './markStore';
import * as say from './sendOnceMessages';
import { objectOrEmpty } from '../values/formInputs';
import { claimBatchSize, timing } from './timing';

/** Marks of a remembered key: its own, and that of its item's fingerprint. */
const marksPerKey = 2;

/** Marks in addition to those of remembered keys: for items in progress, three per key. */
const spareMarks = 4096;

/** The result of an item that an earlier run has sent. Its fields may have changed since, so they are not shown as sent. */
const resultsOfSent = ({ job: { values }, value: key }: Key, changed = false): Result[] => [
	{
		...(values.settings.include === 'inputItem' && values.includedFields),
		alreadySent: true,
		...(changed && { changed }),
		key,
	},
];

/** A run whose items have keys. */
interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	/** Of the service. */
	baseUrl: string;
	sample: Sample;
	/** Whether keys are only asked for, and nothing is sent. */
	isCheck: boolean;
}

/** The expression without the names of nodes: n8n changes them in it when a node is renamed. */
const normalized = (expression: string): string =>
	expression
		.replace(/\$(?:node\.\w+|(?:node\[|items\(|\()\s*(["'`])(?:\\.|.)*?\1)/g, '')
		.replace(/\s+/g, '');

export class SendOnce {
	/** Keys by item, from their claim until the outcomes of their items are known. */
	private readonly keys = new Map<number, Key>();

	/** The fingerprints that this run has recorded, with the keys of the items for which they stay. */
	private readonly ownValues = new Map<string, Set<Key>>();

	private readonly parameters = this.run.ledger.ctx.getNode().parameters;

	private readonly fingerprintOf = fingerprints(this.run, this.parameters);

	/** The mark of the way in which the keys of this run were made. */
	private readonly expression = `expression\n${normalized(expressionOf(this.parameters))}`;

	/** Of the first item. */
	private readonly settings = this.run.sample[0].values.settings;

	/** Whether no earlier run has made keys in this way; undefined before the first claim. */
	private isKeyChanged?: boolean;

	/** How many items with new keys have values that were sent under other keys, as far as they were only checked. */
	private sentBefore = 0;

	/** @param keyCount keys that are remembered, with those of items in progress */
	private constructor(
		private readonly run: KeyedRun,
		private readonly store: MarkStore,
		private keyCount: number,
	) {}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(run: KeyedRun): Promise<SendOnce> {
		const { ledger, isCheck, sample } = run;
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = sample[0].values.settings;
		const maxMarks = marksPerKey * maxKeys + spareMarks;
		const maxEntries = sendOnceWhenFull === 'forget' && !isCheck ? maxMarks : undefined;
		try {
			const store = new MarkStore(ledger.ctx, ledger.stop, { mode: 'entries', maxEntries });
			// Where the run was ended meanwhile, the count does not matter: nothing is sent.
			const count = (await unlessStopped(store.count(), ledger.stop)) ?? 1;
			if (count === 0) ledger.hint(say.newHereHint);
			return new SendOnce(run, store, Math.ceil(count / marksPerKey));
		} catch (error) {
			throw say.storeFailed(error);
		}
	}

	/**
	 * Claims the keys of jobs, many at a time, and yields the jobs of each claim that are to be sent; the others are
	 * settled. Keys in doubt come last, since another run may be sending their items: they are polled until it has recorded
	 * the outcomes, or has been silent for too long. Jobs of keys that are still polled when the run is stopped stay as
	 * they are. What known keys with other values mean shows when all keys are known.
	 */
	async *admit(jobs: readonly Job[]): AsyncGenerator<readonly Job[], void> {
		const { ledger, isCheck } = this.run;
		const { stop } = ledger;
		const changed: Key[] = [];
		let isListKnown = isTool(ledger.ctx);
		if (!isCheck) void this.keepAlive();
		for (let round = [...jobs]; ; ) {
			const waiting: Key[] = [];
			while (round.length > 0) {
				const batch = round.splice(0, claimBatchSize(this.keyCount, this.ours.length));
				const toSend: Job[] = [];
				for (const key of await this.claim(batch, round.length === 0)) {
					const isKnown = key.earlier === 'processed';
					if (key.isAwaited) waiting.push(key);
					else if (isKnown && key.lookedUp !== 'allAreThere' && this.ownValues.has(key.values)) {
						changed.push(key);
						this.recordOutcome(key);
					} else {
						isListKnown ||= isKnown;
						if (!this.settledUnsent(key)) toSend.push(key.job);
					}
				}
				yield toSend;
			}
			for (const key of waiting) this.settle(key, [say.keyAwaited(key.value)], true);
			if (stop.aborted) return;
			if (waiting.length === 0 || isCheck) break;
			await wait(timing.pollInterval, stop);
			round = waiting.map(({ job }) => job);
		}
		for (const key of changed) {
			const isCorrection = isListKnown || this.isRefused(key.job);
			const results = isCorrection && resultsOfSent(key, !isTool(ledger.ctx));
			this.settle(key, results || [say.keyOfOtherRow(key.value)]);
		}
	}

	/**
	 * Claims the keys of jobs with one call. If it fails, the jobs are settled as not sent; nobody is to look those in
	 * doubt up as long as another run may send them. If the run is stopped, the jobs are left as they are, and what the
	 * call claims after all is taken back.
	 * @param isLast whether these are the last jobs. Then no row can be sent again any more because its key was changed
	 * @returns the keys; none if the call has failed, or the run is stopped
	 */
	private async claim(batch: readonly Job[], isLast: boolean): Promise<readonly Key[]> {
		const { ledger } = this.run;
		const keys = batch.map((job) => this.keys.get(job.itemIndex) ?? this.newKey(job));
		for (const key of keys) this.keys.set(key.itemIndex, key);
		const called = this.claimNow(keys, isLast).then(() => keys);
		try {
			const claimed = await unlessStopped(called, ledger.stop);
			if (claimed) return claimed;
			void called.then(() => keys.forEach((key) => this.recordOutcome(key))).catch(() => {});
		} catch (error) {
			if (this.run.isCheck) return keys;
			for (const { itemIndex, value, earlier } of keys) {
				this.keys.delete(itemIndex);
				const failure = earlier === 'inDoubt' ? say.keyAwaited(value) : say.storeFailed(error);
				ledger.settle(itemIndex, [failure]);
			}
		}
		return [];
	}

	/** Claims keys with one call, and finds the rows that were sent under another key before the key was changed. */
	private async claimNow(keys: readonly Key[], isLast: boolean): Promise<void> {
		const { store, ownValues, expression } = this;
		// A trial in the editor leaves no trace of a key's expression, and no more does a run with the rows looked up.
		const { isCheck, ledger } = this.run;
		const isTrial = isCheck || this.isAnswered || ledger.ctx.getMode() === 'manual';
		const isKept = isLast && !isTrial;
		// Asked with the first claim: another run may end before a later one, and then the expression is known. Where a
		// process died while it asked, its question is still there.
		const asking = `asking\n${expression}`;
		const isFirst = this.isKeyChanged === undefined;
		const asked = isFirst ? [expression, asking] : isKept ? [expression] : [];
		const leftOf = (added: ReadonlySet<string>) => {
			this.isKeyChanged ??= added.has(expression) || !added.has(asking);
			return asked.filter((mark) => mark === asking || (this.isKeyChanged && !isKept));
		};
		const added = await store.claim(keys, asked, leftOf, isCheck);
		const ours = keys.filter(({ isOurs }) => isOurs);
		for (const { values } of ours) if (added.has(values)) ownValues.set(values, new Set());
		for (const key of ours) {
			ownValues.get(key.values)?.add(key);
			if (key.earlier !== 'notProcessed' || ownValues.has(key.values)) continue;
			// It stays in doubt even if the run ends before the item's turn.
			if (this.isKeyChanged) key.earlier = 'inDoubt';
			else if (isCheck) this.sentBefore++;
		}
	}

	/** Whether its values do not fit: under a known key they are a correction, whatever a person looked up. */
	private isRefused({ itemIndex }: Job): boolean {
		return this.run.ledger.items[itemIndex]!.problems!.length > 0;
	}

	private newKey(job: Job): Key {
		const { baseUrl, operation, ledger } = this.run;
		const scope = `${baseUrl}\n${operation.route}`;
		// After a run that died, what a person has found out is out of date: the item may be what that run has sent.
		const isOutOfDate = ledger.unknownSends !== undefined || this.isRefused(job);
		const lookedUp = isOutOfDate ? 'leave' : job.values.settings.sendOnceLookedUp;
		return new Key(job, scope, this.fingerprintOf(job), lookedUp);
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

	/** Whether a person has said what became of the items in doubt of this run; an expression answers for each row. */
	private get isAnswered(): boolean {
		const { sendOnceLookedUp } = objectOrEmpty(this.parameters.options);
		return this.settings.sendOnceLookedUp !== 'leave' && !/^=/.test(sendOnceLookedUp as string);
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

	/**
	 * What a check finds of an item counts in place of what is wrong with it, or would be sent.
	 * @param isOpen whether a failure does not end the run: what a check finds is shown once all keys are known
	 */
	private settle(key: Key, results: readonly Result[], isOpen = this.run.isCheck): void {
		const { ledger, isCheck } = this.run;
		const { itemIndex, value } = key;
		const failure = results.find(isFailure);
		if (isOpen && failure) ledger.setInterim(itemIndex, failure.mapTexts(ledger.redact, value));
		else ledger.settle(itemIndex, results);
		if (isCheck) Object.assign(ledger.items[itemIndex]!, { checked: undefined, problems: [] });
	}

	/** Settles an item that is not sent because of its key. @returns whether it is one */
	private settledUnsent(key: Key): boolean {
		if (key.earlier === 'notProcessed') this.keyCount++;
		const results = this.resultsUnsent(key);
		if (!results) return false;
		this.settle(key, results);
		this.recordOutcome(key);
		return true;
	}

	/** The results of an item that is not sent because of its key; undefined when it is to be sent. */
	private resultsUnsent(key: Key): Result[] | undefined {
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = this.settings;
		if (key.earlier === 'processed') return resultsOfSent(key);
		if (key.earlier === 'inDoubt') {
			if (!key.isOurs) return [say.keyInDoubt(key.value)];
			if (key.lookedUp === 'leave') return [say.keyChanged(key.value)];
			return key.lookedUp === 'areNotThere' ? undefined : resultsOfSent(key);
		}
		const isFull = this.keyCount > maxKeys && sendOnceWhenFull !== 'forget';
		if (isFull) return [say.storeFull(key.value, maxKeys)];
		return key.lookedUp === 'allAreThere' ? resultsOfSent(key) : undefined;
	}

	/** To be called when the outcomes of items that were sent are in the ledger. */
	settled(itemIndexes: readonly number[]): void {
		for (const key of this.keysOf(itemIndexes)) this.recordOutcome(key);
	}

	private recordOutcome(key: Key): void {
		if (this.run.isCheck || !key.isOurs || !this.keys.delete(key.itemIndex)) return;
		const { earlier, sent, open, values, heartbeat } = key;
		const { ownValues } = this;
		const outcome = recordStateOf(this.run.ledger.items[key.itemIndex]!.results);
		// What was not processed in this run leaves its key as it was before.
		const known = outcome === 'notProcessed' ? earlier : outcome;
		const over = heartbeat ? [heartbeat] : [];
		if (known !== 'processed') over.push(sent);
		if (known !== 'inDoubt') over.push(open);
		if (known === 'notProcessed') this.keyCount--;
		const keysOfValues = ownValues.get(values);
		if (outcome === 'notProcessed') keysOfValues?.delete(key);
		if (keysOfValues?.size === 0) {
			ownValues.delete(values);
			over.push(values);
		}
		this.store.remove(over, key, known !== 'processed');
	}

	/** Records the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { run, store, keys, settings } = this;
		const { ledger } = run;
		for (const key of [...keys.values()]) this.recordOutcome(key);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ledger.cancelled ?? neverAborted;
		const isRecorded = await unlessStopped(store.close(), cancelled);
		if (!isRecorded) ledger.hint(say.unrecordedHint);
		if (this.isAnswered) ledger.hint(say.answeredHint);
		ledger.hint(say.sentBeforeHint(this.sentBefore));
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(say.fillingHint(this.keyCount, settings));
	}
}
