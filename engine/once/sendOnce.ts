// Send Once: each item has a key, and n8n remembers across runs which keys were sent. Keys are claimed before their
// items are sent, and outcomes are recorded after the responses. If an item certainly was not processed, its key is
// dropped.
import type { Operation } from '../area';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { isFailure, problemsOf, recordStateOf, type Result } from '../items/itemState';
import type { Job } from '../kinds/job';
import { unlessStopped, wait } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import type { ServiceAccess } from '../send/serviceAccess';
import { objectOrEmpty } from '../values/formInputs';
import { changingFields, fingerprintOf } from './fingerprint';
import { Key } from './key';
import { expressionOf, isTool } from './keyRules';
import { MarkStore } from './markStore';
import * as say from './sendOnceMessages';
import { claimBatchSize, timing } from './timing';

/** Marks per remembered key: its own, and that of its item's fingerprint. */
const marksPerKey = 2;

/** Marks in addition to those of remembered keys: for items in progress, three per key. */
const spareMarks = 4096;

/** The result of an item that an earlier run sent. Its fields may have changed since, so they are not shown as sent. */
const resultOfSent = ({ job: { values }, value: key }: Key, changed = false): Result => ({
	...(values.settings.include === 'inputItem' && values.includedFields),
	alreadySent: true,
	...(changed && { changed }),
	key,
});

/** A run whose items have keys. */
export interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	access: ServiceAccess;
	/** The first item's settings. */
	settings: Settings;
	/** Whether the keys are only looked up, and nothing is sent. */
	isCheck?: boolean;
}

/** The expression without the names of nodes: n8n changes them when a node is renamed. */
const normalized = (expression: string): string =>
	expression.replace(/\$(?:node\.\w+|(?:node\[|items\(|\()\s*(["'`])(?:\\.|.)*?\1)|\s+/g, '');

export class SendOnce {
	/** Keys by item, from their claim until the outcomes of their items are known. */
	private readonly keys = new Map<number, Key>();

	/** The fingerprints that this run recorded, with their keys; removed if none of these items was processed. */
	private readonly ownValues = new Map<string, Set<Key>>();

	private readonly parameters = this.run.ledger.ctx.getNode().parameters;

	private readonly leftOut = changingFields(this.parameters);

	/** The mark of the key's expression, and the mark of asking for it. */
	private readonly expressionMarks = ['expression', 'asking'].map(
		(name) => `${name}\n${normalized(expressionOf(this.parameters))}`,
	);

	/** Whether no earlier run made its keys with this expression; undefined before the first claim. */
	private isKeyChanged?: boolean;

	/** Items with new keys and the values of items that were sent under other keys; counted by a check alone. */
	private sentBefore = 0;

	/**
	 * Whether the run remembers the key's expression. Only the first run from the editor does, where keys are tried out, and
	 * no run with a person's answers, which may be about some rows of many.
	 */
	private keepsExpression =
		!this.run.isCheck &&
		['leave', 'allAreThere'].includes(this.run.settings.sendOnceLookedUp) &&
		(this.run.ledger.ctx.getMode() !== 'manual' || this.keyCount === 0);

	/** @param keyCount remembered keys, including those of items in progress */
	private constructor(
		private readonly run: KeyedRun,
		private readonly store: MarkStore,
		private keyCount: number,
	) {}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(run: KeyedRun): Promise<SendOnce> {
		const { ledger, isCheck, settings } = run;
		const maxMarks = marksPerKey * settings.sendOnceRemember + spareMarks;
		const maxEntries = settings.sendOnceWhenFull === 'forget' && !isCheck ? maxMarks : undefined;
		try {
			const store = new MarkStore(ledger.ctx, ledger.stop, { mode: 'entries', maxEntries });
			// If the run was stopped meanwhile, the count does not matter: nothing is sent.
			const count = (await unlessStopped(store.count(), ledger.stop)) ?? 1;
			if (count === 0 && settings.sendOnceLookedUp !== 'allAreThere') ledger.hint(say.newHereHint);
			return new SendOnce(run, store, Math.floor(count / marksPerKey));
		} catch (error) {
			throw say.storeFailed(error);
		}
	}

	/**
	 * Claims the keys of jobs, many at a time, and yields the jobs of each claim that are to be sent; the others are
	 * settled. Keys that another run may be sending come last: they are polled until that run has recorded the outcomes, or
	 * has been silent for too long. If the run is stopped, jobs whose keys are still polled stay as they are. Sent keys with
	 * other values are settled once all keys are known: if most rows are as they were sent, these were corrected.
	 */
	async *admit(jobs: readonly Job[]): AsyncGenerator<readonly Job[], void> {
		const { ledger, isCheck, settings } = this.run;
		const { stop } = ledger;
		const changed: Key[] = [];
		let unchanged = 0;
		if (!isCheck) void this.keepAlive();
		for (let round = [...jobs]; ; ) {
			const waiting: Key[] = [];
			while (round.length > 0) {
				const batch = round.splice(0, claimBatchSize(this.keyCount, this.ours.length));
				const toSend: Job[] = [];
				for (const key of await this.claim(batch)) {
					const isKnown = key.earlier === 'processed';
					const isChanged = isKnown && this.ownValues.has(key.values);
					if (key.isAwaited) waiting.push(key);
					else if (isChanged && key.lookedUp !== 'allAreThere') {
						changed.push(key);
						this.recordOutcome(key);
					} else {
						if (isKnown) unchanged++;
						const result = this.resultUnsent(key);
						if (result) this.settle(key, result);
						else toSend.push(key.job);
					}
				}
				yield toSend;
			}
			for (const key of waiting) this.settle(key, say.keyAwaited(key.value), true);
			if (stop.aborted) return;
			if (waiting.length === 0 || isCheck) break;
			await wait(timing.pollInterval, stop);
			round = waiting.map(({ job }) => job);
		}
		const isFull = this.keyCount >= settings.sendOnceRemember;
		const isForgetting = isFull && settings.sendOnceWhenFull === 'forget';
		// All keys are claimed: from now on, no row is resent because its key was changed. Where n8n forgets the oldest
		// marks, this one becomes the newest.
		if (this.keepsExpression && (this.isKeyChanged || isForgetting)) {
			this.store.remove(this.expressionMarks);
			await this.store.record(this.expressionMarks.slice(0, 1)).catch(() => {});
		}
		const isOfTool = isTool(ledger.ctx);
		const areCorrected = isOfTool || unchanged >= changed.length;
		for (const key of changed) {
			const isCorrected = areCorrected || this.isRefused(key.job);
			this.settle(key, isCorrected ? resultOfSent(key, !isOfTool) : say.keyOfOtherRow(key.value));
		}
	}

	/**
	 * Claims the keys of jobs with one call. If it fails, the jobs are settled as not sent; while another run may send an
	 * item in doubt, nobody is asked to look it up. If the run is stopped, the jobs stay as they are, and whatever the call
	 * still claims is taken back.
	 * @returns the keys; none if the call failed, or the run is stopped
	 */
	private async claim(batch: readonly Job[]): Promise<readonly Key[]> {
		const { ledger } = this.run;
		const keys = batch.map((job) => this.keys.get(job.itemIndex) ?? this.newKey(job));
		for (const key of keys) this.keys.set(key.itemIndex, key);
		const called = this.claimNow(keys).then(() => keys);
		try {
			const claimed = await unlessStopped(called, ledger.stop);
			if (claimed) return claimed;
			void called.then(() => keys.forEach((key) => this.recordOutcome(key))).catch(() => {});
		} catch (error) {
			this.keepsExpression = false;
			if (this.run.isCheck) return [];
			for (const { itemIndex, value, earlier } of keys) {
				this.keys.delete(itemIndex);
				const failure = earlier === 'inDoubt' ? say.keyAwaited(value) : say.storeFailed(error);
				ledger.settle(itemIndex, [failure]);
			}
		}
		return [];
	}

	/** Claims keys with one call, and finds the rows that were sent under another key before the key was changed. */
	private async claimNow(keys: readonly Key[]): Promise<void> {
		const { store, ownValues, expressionMarks } = this;
		const { isCheck } = this.run;
		const asked = this.isKeyChanged === undefined ? expressionMarks : [];
		const added = await store.claim(keys, asked, isCheck);
		// If a process died while it asked, both marks are still there.
		const [isNew, isAsked] = expressionMarks.map((mark) => added.has(mark));
		this.isKeyChanged ??= isNew || !isAsked;
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
		return problemsOf(this.run.ledger.items[itemIndex]!).length > 0;
	}

	private newKey(job: Job): Key {
		const { access, operation, ledger } = this.run;
		const scope = `${access.session.account.settings.baseUrl}\n${operation.route}`;
		// If the run that is retried died, the person may have looked before it sent the item.
		const isOutOfDate = ledger.unknownSends !== undefined || this.isRefused(job);
		const lookedUp = isOutOfDate ? 'leave' : job.values.settings.sendOnceLookedUp;
		return new Key(job, scope, fingerprintOf(operation, job, this.leftOut), lookedUp);
	}

	/** Shows other runs that this one will send items, as long as it will. */
	private async keepAlive(): Promise<void> {
		const { heartbeatInterval } = timing;
		const { closing } = this.store;
		while (!closing.aborted) {
			// So a key that was claimed just before this check gets its heartbeat at the next one.
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
	 * @throws Failure when another run may be sending them: this process stood still, or could send no heartbeat
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
	 * Enters the result of an item that is not sent because of its key. In a check, it replaces its problems, and the
	 * request it would get.
	 * @param isOpen whether a failure does not end the run: a check goes on until all keys are known
	 */
	private settle(key: Key, result: Result, isOpen = this.run.isCheck): void {
		const { ledger, isCheck } = this.run;
		const { itemIndex, value } = key;
		if (isOpen && isFailure(result))
			ledger.setInterim(itemIndex, result.mapTexts(ledger.redact, value));
		else ledger.settle(itemIndex, [result]);
		if (isCheck)
			Object.assign(ledger.items[itemIndex]!, { checked: undefined, problems: undefined });
		this.recordOutcome(key);
	}

	/** The result of an item that is not sent because of its key; undefined when it is to be sent. */
	private resultUnsent(key: Key): Result | undefined {
		const { sendOnceRemember: maxKeys, sendOnceWhenFull } = this.run.settings;
		if (key.earlier === 'processed') return resultOfSent(key);
		if (key.earlier === 'inDoubt') {
			if (!key.isOurs) return say.keyInDoubt(key.value, this.isRefused(key.job));
			if (key.lookedUp === 'leave') return say.keyChanged(key.value);
			return key.lookedUp === 'areNotThere' ? undefined : resultOfSent(key);
		}
		const isFull = ++this.keyCount > maxKeys && sendOnceWhenFull !== 'forget';
		if (isFull) return say.storeFull(key.value, maxKeys);
		return key.lookedUp === 'allAreThere' ? resultOfSent(key) : undefined;
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
		// An item that this run did not get processed leaves its key as it was before.
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
		const { store, keys } = this;
		const { ledger, settings } = this.run;
		for (const key of [...keys.values()]) this.recordOutcome(key);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ledger.cancelled ?? neverAborted;
		const isRecorded = await unlessStopped(store.close(), cancelled);
		if (!isRecorded) ledger.hint(say.unrecordedHint);
		// An expression says it about each row, so it may stay.
		const { sendOnceLookedUp = 'leave' } = objectOrEmpty(this.parameters.options);
		if (!/^(?:leave$|=)/.test(sendOnceLookedUp as string)) ledger.hint(say.answeredHint);
		if (this.sentBefore > 0) ledger.hint(say.sentBeforeHint(this.sentBefore));
		const isFilling = this.keyCount > settings.sendOnceRemember / 2;
		if (isFilling) ledger.hint(say.fillingHint(this.keyCount, settings));
	}
}
