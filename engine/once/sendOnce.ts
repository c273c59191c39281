// Send Once: each row has a key, and n8n remembers across runs which keys were sent. What a row gets follows from its key
// and its values alone:
//
// | The key was              | The values were        | Keys and Values         | Keys Alone          |
// | ------------------------ | ---------------------- | ----------------------- | ------------------- |
// | never sent               | never sent             | sent                    | sent                |
// | never sent               | sent under another key | in doubt, `sameValues`  | sent                |
// | sent                     | sent                   | already sent            | already sent        |
// | sent                     | never sent             | in doubt, `otherValues` | already sent, told  |
// | started, outcome unknown | any                    | in doubt                | in doubt            |
// | claimed by another run   | any                    | waited for              | waited for          |
//
// The words, each with one meaning in this folder:
// - mark: an entry in n8n's store. A key has several, which together are its state (key.ts); a fingerprint has one.
// - claim: to record a key's marks. The key is the run's own then, unless it was sent, started or claimed before.
// - lease: how long after its claim or heartbeat no other run can take a key over (timing.ts).
// - heartbeat: a mark that shows other runs that this one still holds its keys.
// - release: to record what became of a row, or to leave its key as it was, by removing marks.
// - doubt: the marks do not tell whether the row's record is there; its reason says why. It changes no mark.
// - answer: what a person who has looked the record up says in 'Send Once: Looked-Up Rows'.
import { isCreating, type Operation } from '../area';
import type { DoubtReason } from '../failure';
import { comparedByDefault, type Settings } from '../form/settings';
import { groupedBy, itemsInWords } from '../http/format';
import type { Ledger } from '../items/ledger';
import { isFailure, problemsOf, recordStateOf, type Result } from '../items/itemState';
import type { Job } from '../kinds/job';
import { inTurns, unlessStopped, wait } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import type { RecordState } from '../outcome';
import type { ServiceAccess } from '../send/serviceAccess';
import { changingFields, fingerprintOf } from './fingerprint';
import { Key } from './key';
import { hasFixedAnswer, isTool } from './keyRules';
import { MarkStore } from './markStore';
import * as say from './sendOnceMessages';
import { claimBatchSize, limits, timing } from './timing';

/** Marks per remembered key: its own, and that of its row's fingerprint. */
const marksPerKey = 2;

/** Marks in addition to those of remembered keys: for rows in progress, three per key. */
const spareMarks = 4096;

/**
 * The result of a row that an earlier run sent. Its fields may have changed since, so they are not shown as sent.
 * @param changed whether they are known to have changed
 */
const resultOfSent = ({ job: { values }, value: key }: Key, changed = false): Result => ({
	...(values.settings.include === 'inputItem' && values.includedFields),
	alreadySent: true,
	...(changed && { changed }),
	key,
});

/** Fingerprints that a run recorded, with their keys; removed if none of these rows was processed. */
type OwnFingerprints = Map<string, Set<object>>;

/** Learns which values no earlier run has sent. Two rows of one run with equal values are both new. */
function learnValues(keys: readonly Key[], added: ReadonlySet<string>, own: OwnFingerprints): void {
	for (const key of keys) {
		const { fingerprintMark: mark, isOurs } = key;
		if (mark === undefined || !isOurs) continue;
		if (added.has(mark) && !own.has(mark)) own.set(mark, new Set());
		own.get(mark)?.add(key);
		key.hasNewValues = own.has(mark);
	}
}

type Answer = Settings['sendOnceLookedUp'];

/** A run whose rows have keys. */
export interface KeyedRun {
	operation: Operation;
	ledger: Ledger;
	access: ServiceAccess;
	/** Those that are the same for all rows. */
	settings: Pick<Settings, 'sendOnceCompare' | 'sendOnceRemember'>;
}

export class SendOnce {
	/** Keys by row, from their claim until they are released. */
	private readonly keys = new Map<number, Key>();

	/** The rows in doubt, and why they are. */
	private readonly doubts = new Map<Key, DoubtReason>();

	private readonly parameters = this.run.ledger.ctx.getNode().parameters;

	private readonly changing = changingFields(this.run.operation, this.parameters);

	private readonly comparesValues =
		(this.run.settings.sendOnceCompare ?? comparedByDefault(this.run.operation)) ===
		'keysAndValues';

	/** @param keyCount remembered keys, including those of rows in progress */
	private constructor(
		private readonly run: KeyedRun,
		private readonly store: MarkStore,
		private keyCount: number,
	) {}

	/** @throws Failure `notSent` when n8n's store cannot be used */
	static async open(run: KeyedRun): Promise<SendOnce> {
		const { ctx, stop } = run.ledger;
		const isLimited = run.settings.sendOnceRemember === 'latest';
		const maxEntries = isLimited ? marksPerKey * limits.latest + spareMarks : undefined;
		try {
			const store = new MarkStore(ctx, stop, { mode: 'entries', maxEntries });
			// If the run was stopped meanwhile, the count does not matter: nothing is sent.
			const count = (await unlessStopped(store.count(), stop)) ?? 1;
			return new SendOnce(run, store, Math.ceil(count / marksPerKey));
		} catch (error) {
			throw say.storeFailed(error);
		}
	}

	/**
	 * Looks up the keys of rows that are not sent, because they are only checked or their values are not valid. If a key is
	 * not new, the row gets the result that it would get, but no answer applies.
	 * @throws Error when n8n's store fails
	 */
	async lookUp(jobs: readonly Job[]): Promise<void> {
		const { ledger } = this.run;
		this.hintIfNew(jobs);
		const rest = [...jobs];
		const own = new Map<string, Set<object>>();
		while (rest.length > 0) {
			const keys = rest.splice(0, claimBatchSize(this.keyCount, 0)).map((job) => this.newKey(job));
			await this.store.claim(keys, (added) => learnValues(keys, added, own), true);
			for await (const key of inTurns(keys)) {
				const item = ledger.items[key.itemIndex]!;
				if (key.stateBefore === 'notProcessed' && problemsOf(item).length > 0) continue;
				const result = this.resultOf(key);
				if (!result) continue;
				this.enter(key, result);
				Object.assign(item, { checked: undefined, problems: undefined });
			}
		}
	}

	/**
	 * Claims the keys of jobs, many at a time, and yields the jobs of each claim that are to be sent; the others are
	 * settled. Rows in doubt come last: what an answer means may depend on all doubts of the run. If the run is stopped,
	 * nothing is known of jobs whose keys are not settled.
	 */
	async *admit(jobs: readonly Job[]): AsyncGenerator<readonly Job[], void> {
		this.hintIfNew(jobs);
		void this.keepAlive();
		const isAllThere = (job: Job) => this.answerTo(job) === 'allAreThere';
		yield* this.claimAll(
			jobs.map((job) =>
				Object.assign(this.newKey(job), isAllThere(job) && { answer: 'allAreThere' }),
			),
		);
		if (!this.run.ledger.stop.aborted) yield* this.claimAll(this.answeredKeys());
	}

	/** Keys that another run may be sending come last: they are polled until it has released them, or is silent for long. */
	private async *claimAll(keys: readonly Key[]): AsyncGenerator<readonly Job[], void> {
		const { ledger } = this.run;
		const { stop } = ledger;
		for (const { itemIndex } of keys) ledger.setInterim(itemIndex, say.keyUnknown);
		for (let round = [...keys]; round.length > 0; ) {
			const waiting: Key[] = [];
			while (round.length > 0) {
				const batch = round.splice(0, claimBatchSize(this.keyCount, this.ours.length));
				const toSend: Job[] = [];
				for await (const key of inTurns(await this.claim(batch))) {
					const result = this.resultOf(key);
					if (key.stateBefore === 'awaited') waiting.push(key);
					if (key.stateBefore === 'notProcessed') this.keyCount++;
					if (result) this.settle(key, result);
					else {
						// It waits for its turn.
						ledger.items[key.itemIndex]!.results = undefined;
						toSend.push(key.job);
					}
				}
				yield toSend;
			}
			if (stop.aborted) return;
			if (waiting.length > 0) await wait(timing.pollInterval, stop);
			round = waiting;
		}
	}

	/**
	 * The keys of rows in doubt that a person has looked up, to be claimed again with the answer. If another run may have
	 * sent a row since, the answer is out of date. One answer to send all rows is refused if their doubts differ.
	 */
	private answeredKeys(): readonly Key[] {
		const doubts = [...this.doubts].filter(([{ job }]) => this.answerTo(job) !== 'leave');
		const rows = groupedBy(doubts, ([, reason]) => reason);
		const [first] = doubts;
		const isSendAll = first && this.answerTo(first[0].job) === 'areNotThere';
		if (isSendAll && rows.size > 1 && hasFixedAnswer(this.parameters)) {
			const named = [...rows].map(
				([reason, alike]) =>
					[reason, itemsInWords(alike.map(([{ itemIndex }]) => itemIndex))] as const,
			);
			for (const [key, reason] of doubts) this.enter(key, say.severalReasons(reason, named));
			return [];
		}
		const current = doubts.filter(([{ wasAwaited }]) => !wasAwaited);
		return current.map(([{ job }, answersTo]) =>
			Object.assign(this.newKey(job), { answersTo, answer: this.answerTo(job) }),
		);
	}

	/** What a person who has looked up the row's record says. */
	private answerTo({ values }: Job): Answer {
		// If the run that is retried died, the person may have looked before it sent the row.
		return this.run.ledger.unknownSends ? 'leave' : values.settings.sendOnceLookedUp;
	}

	/**
	 * Claims keys with one call. If it fails, their rows are settled as not sent; while another run may send a row, nobody is
	 * asked to look it up. If the run is stopped, nothing is known of the rows, and whatever the call still claims is
	 * released.
	 * @returns the keys; none if the call failed, or the run is stopped
	 */
	private async claim(keys: readonly Key[]): Promise<readonly Key[]> {
		const { ledger } = this.run;
		for (const key of keys) this.keys.set(key.itemIndex, key);
		// Called under the lock, so that a run that ends now removes the fingerprints that it recorded.
		const learn = (added: ReadonlySet<string>) => learnValues(keys, added, ledger.ownFingerprints);
		const called = this.store.claim(keys, learn).then(() => keys);
		try {
			const claimed = await unlessStopped(called, ledger.stop);
			if (claimed) return claimed;
			void called.then(() => keys.forEach((key) => this.release(key))).catch(() => {});
		} catch (error) {
			for (const { itemIndex, value, stateBefore } of keys) {
				this.keys.delete(itemIndex);
				const isDoubtful = stateBefore === 'inDoubt' || stateBefore === 'awaited';
				const failure = isDoubtful ? say.keyAwaited(value) : say.storeFailed(error);
				ledger.settle(itemIndex, [failure]);
			}
		}
		return [];
	}

	private newKey(job: Job): Key {
		const { access, operation, ledger } = this.run;
		const { baseUrl, username } = access.session.account.settings;
		const scope = `${baseUrl}\n${operation.route}`;
		if (isTool(ledger.ctx)) return new Key(job, scope);
		// Values that are not valid were never sent.
		if (job.isIncomplete) return Object.assign(new Key(job, scope), { hasNewValues: true });
		return new Key(job, scope, fingerprintOf(operation, job, this.changing, username));
	}

	/** Shows other runs that this one will send rows, as long as it will. */
	private async keepAlive(): Promise<void> {
		const { heartbeatInterval } = timing;
		const { closing } = this.store;
		while (!closing.aborted) {
			// So a key that was claimed just before this check gets its heartbeat at the next one.
			const isDue = this.ours.some(({ leaseAge }) => leaseAge() >= heartbeatInterval / 2);
			if (isDue) await this.store.sendHeartbeats(this.ours).catch(() => {});
			await wait(heartbeatInterval, closing);
		}
	}

	private get ours(): Key[] {
		return [...this.keys.values()].filter(({ isOurs }) => isOurs);
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
		await this.store.sendHeartbeats(this.ours).catch(() => {});
		if (keys.every(({ isHeld }) => isHeld)) return;
		for (const key of keys) key.isOurs = false;
		throw say.leaseLost();
	}

	/** Why the marks do not tell whether the row's record is there. */
	private doubtOf({ stateBefore, hasNewValues, fingerprint }: Key): DoubtReason | undefined {
		if (stateBefore === 'inDoubt') return 'unknownOutcome';
		if (!this.comparesValues) return undefined;
		if (stateBefore === 'processed') return hasNewValues ? 'otherValues' : undefined;
		return hasNewValues === false && fingerprint?.isWhole ? 'sameValues' : undefined;
	}

	/** Whether the record of a row in doubt is there, by a person's answer; undefined if that does not settle the doubt. */
	private isThere({ answer, answersTo, isOurs }: Key, reason: DoubtReason): boolean | undefined {
		if (!isOurs) return undefined;
		if (answer === 'allAreThere') return true;
		if (answersTo !== reason) return undefined;
		if (answer === 'areThere') return true;
		// Sent again, a corrected row makes a second record; an update does not.
		return reason === 'otherValues' && isCreating(this.run.operation) ? undefined : false;
	}

	/** The result of a row that is not sent because of its key; undefined when it is to be sent. */
	private resultOf(key: Key): Result | undefined {
		const { stateBefore, hasNewValues, answer, value, job } = key;
		const { ledger, operation, settings } = this.run;
		if (stateBefore === 'awaited') return say.keyAwaited(value);
		const isNew = stateBefore === 'notProcessed';
		const isAllThere = answer === 'allAreThere';
		const reason = this.doubtOf(key);
		const isThere = reason ? this.isThere(key, reason) : !isNew || isAllThere;
		if (reason && isThere === undefined) {
			const problems = problemsOf(ledger.items[job.itemIndex]!);
			return say.inDoubt(reason, value, isCreating(operation), problems);
		}
		const isFull = settings.sendOnceRemember === 'all' && this.keyCount >= limits.all;
		if (isNew && isFull) return say.storeFull(value);
		return isThere
			? resultOfSent(key, !reason && hasNewValues && !isNew && !isAllThere)
			: undefined;
	}

	/** Enters the result of a row that is not sent. Rows in doubt, or waited for, do not end a run. */
	private enter({ itemIndex, value }: Key, result: Result): void {
		const { ledger } = this.run;
		if (isFailure(result) && result.outcome !== 'notSent')
			ledger.setInterim(itemIndex, result.mapTexts(ledger.redact, value));
		else ledger.settle(itemIndex, [result]);
	}

	/** Settles a row that is not sent because of its key. A row that is not there leaves its key as it was. */
	private settle(key: Key, result: Result): void {
		this.enter(key, result);
		const isThere = !isFailure(result) && !result.changed;
		this.release(key, isThere ? 'processed' : 'notProcessed');
		if (isFailure(result) && result.details.reason) this.doubts.set(key, result.details.reason);
	}

	/** To be called when the outcomes of rows that were sent are in the ledger. */
	settled(itemIndexes: readonly number[]): void {
		const { items } = this.run.ledger;
		for (const key of this.keysOf(itemIndexes))
			this.release(key, recordStateOf(items[key.itemIndex]!.results));
	}

	/** @param outcome of this run. A row that it did not get processed leaves its key as it was before. */
	private release(key: Key, outcome: RecordState = 'notProcessed'): void {
		if (!key.isOurs || !this.keys.delete(key.itemIndex)) return;
		const { stateBefore, sent, started, fingerprintMark = '' } = key;
		const { ownFingerprints } = this.run.ledger;
		const state = outcome === 'notProcessed' ? stateBefore : outcome;
		if (state === 'notProcessed') this.keyCount--;
		const sharing = ownFingerprints.get(fingerprintMark);
		if (outcome === 'notProcessed') sharing?.delete(key);
		const isUnused = sharing?.size === 0 && ownFingerprints.delete(fingerprintMark);
		key.toRemove = [
			...(state === 'processed' ? [] : [sent]),
			...(state === 'inDoubt' ? [] : [started]),
			...(isUnused ? [fingerprintMark] : []),
		];
		this.store.release(key);
	}

	private hintIfNew(jobs: readonly Job[]): void {
		const isAllThere = jobs.some((job) => this.answerTo(job) === 'allAreThere');
		if (this.keyCount === 0 && !isAllThere) this.run.ledger.hint(say.newHereHint);
	}

	/** Releases the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { store, keys } = this;
		const { ledger, settings } = this.run;
		this.settled([...keys.keys()]);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ledger.cancelled ?? neverAborted;
		const isRecorded = await unlessStopped(store.close(), cancelled);
		if (!isRecorded) ledger.hint(say.unrecordedHint);
		if (hasFixedAnswer(this.parameters)) ledger.hint(say.answeredHint);
		const isFilling = settings.sendOnceRemember === 'all' && this.keyCount > limits.all / 2;
		if (isFilling) ledger.hint(say.fillingHint(this.keyCount));
	}
}
