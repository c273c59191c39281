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
import { groupedBy } from '../http/format';
import type { Ledger } from '../items/ledger';
import { isFailure, recordStateOf, type Result } from '../items/itemState';
import type { Job } from '../kinds/job';
import { inTurns, unlessStopped, wait } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import type { RecordState } from '../outcome';
import type { ServiceAccess } from '../send/serviceAccess';
import { changingFields, fingerprintOf } from './fingerprint';
import { Key, type OwnFingerprints } from './key';
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

type Answer = Settings['sendOnceLookedUp'];

/** A run that may send. */
export interface Run {
	operation: Operation;
	ledger: Ledger;
	access: ServiceAccess;
	/** Of any row: what holds for the run is the same for all. */
	settings: Settings;
}

export class SendOnce {
	/** Keys by row, from their claim until they are released. */
	private readonly keys = new Map<number, Key>();

	/** Keys of rows in doubt. */
	private readonly doubtful: Key[] = [];

	/** Remembered keys, including those of rows in progress. */
	private keyCount = 0;

	private readonly ledger = this.run.ledger;

	private readonly settings = this.run.settings;

	private readonly parameters = this.ledger.ctx.getNode().parameters;

	/** Undefined if no values are compared. An AI agent words each call anew. */
	private readonly changing = isTool(this.ledger.ctx) ? undefined : changingFields(this.parameters);

	/** Whether rows with new keys fail at the limit; otherwise, the oldest keys are forgotten. */
	private readonly keepsAll = this.settings.sendOnceRemember === 'all';

	private readonly store = new MarkStore(this.ledger.ctx, this.ledger.stop, {
		mode: 'entries',
		maxEntries: this.keepsAll ? undefined : marksPerKey * limits.latest + spareMarks,
	});

	constructor(private readonly run: Run) {}

	/** @throws Error when n8n's store cannot be used */
	private async countKeys(): Promise<void> {
		// If the run was stopped meanwhile, the count does not matter: nothing is sent.
		const marks = (await unlessStopped(this.store.count(), this.ledger.stop)) ?? 1;
		this.keyCount = Math.ceil(marks / marksPerKey);
		const isAllThere = this.settings.sendOnceLookedUp === 'allAreThere';
		if (this.keyCount === 0 && !isAllThere) this.ledger.hint(say.newHereHint);
	}

	/**
	 * Looks up the keys of rows that are not sent, because they are only checked or refused. If a key is not new, the row
	 * gets the result that it would get without an answer.
	 */
	async lookUp(jobs: readonly Job[]): Promise<void> {
		const { items } = this.ledger;
		const own: OwnFingerprints = new Map();
		const hasKey = ({ values, keyProblem }: Job) => values.settings.sendOnceKey && !keyProblem;
		const rest = jobs.filter(hasKey);
		if (rest.length === 0) return;
		try {
			await this.countKeys();
			while (rest.length > 0) {
				const batch = rest.splice(0, claimBatchSize(this.keyCount, 0));
				const keys = batch.map((job) => this.newKey(job, 'leave'));
				await this.store.claim(keys, own, true);
				for await (const key of inTurns(keys)) {
					const item = items[key.itemIndex]!;
					const isRefused = item.problems!.length > 0;
					const result = this.resultOf(key);
					if (!result || (isRefused && key.stateBefore === 'notProcessed')) continue;
					this.enter(key, result);
					Object.assign(item, { checked: undefined, problems: undefined });
				}
			}
		} catch (error) {
			this.ledger.hint(say.lookUpFailed(error));
		}
	}

	/**
	 * Claims the keys of jobs, many at a time, and yields the jobs of each claim that are to be sent; the others are
	 * settled. Rows in doubt come last: what an answer means may depend on all doubts of the run. If the run is stopped,
	 * nothing is known of jobs whose keys are not settled.
	 */
	async *admit(jobs: readonly Job[]): AsyncGenerator<readonly Job[], void> {
		try {
			await this.countKeys();
		} catch (error) {
			const rows = jobs.map(({ itemIndex }) => itemIndex);
			return await this.ledger.fail(rows, say.storeFailed(error), 'notSent');
		}
		void this.keepAlive();
		yield* this.claimAll(jobs);
		if (!this.ledger.stop.aborted) yield* this.claimAll(this.lookedUpKeys());
	}

	/** Keys that another run may be sending come last: they are polled until it has released them, or is silent for long. */
	private async *claimAll(given: ReadonlyArray<Job | Key>): AsyncGenerator<readonly Job[], void> {
		const { items, stop } = this.ledger;
		for (const { itemIndex } of given) this.ledger.setInterim(itemIndex, say.notKnownYet);
		for (let round = [...given]; round.length > 0; ) {
			const waiting: Key[] = [];
			while (round.length > 0) {
				const batch = round.splice(0, claimBatchSize(this.keyCount, this.ours.length));
				const toSend: Job[] = [];
				const keys = batch.map((one) => (one instanceof Key ? one : this.newKey(one)));
				for await (const key of inTurns(await this.claim(keys))) {
					const result = this.resultOf(key);
					if (key.stateBefore === 'awaited') waiting.push(key);
					if (key.stateBefore === 'notProcessed') this.keyCount++;
					if (result) this.settle(key, result);
					else {
						// It waits for its turn.
						items[key.itemIndex]!.results = undefined;
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
	private lookedUpKeys(): readonly Key[] {
		const looked = this.doubtful.filter(({ job }) => this.answerTo(job) !== 'leave');
		const rowsOf = groupedBy(looked, ({ doubt }) => doubt!);
		const isToSend = looked.some(({ job }) => this.answerTo(job) === 'areNotThere');
		if (isToSend && hasFixedAnswer(this.parameters) && rowsOf.size > 1) {
			const failureOf = say.severalReasons(rowsOf);
			for (const key of looked) this.enter(key, failureOf(key.doubt!));
			return [];
		}
		const current = looked.filter(({ wasAwaited }) => !wasAwaited);
		return current.map(({ job, doubt }) => this.newKey(job, this.answerTo(job), doubt));
	}

	/** What a person who has looked up the row's record says. */
	private answerTo({ values }: Job): Answer {
		// If the run that is retried died, the person may have looked before it sent the row.
		return this.ledger.unknownSends ? 'leave' : values.settings.sendOnceLookedUp;
	}

	/**
	 * Claims keys with one call. If it fails, their rows are settled as not sent; while another run may send a row, nobody is
	 * asked to look it up. If the run is stopped, nothing is known of the rows, and whatever the call still claims is
	 * released.
	 * @returns the keys; none if the call failed, or the run is stopped
	 */
	private async claim(keys: readonly Key[]): Promise<readonly Key[]> {
		for (const key of keys) this.keys.set(key.itemIndex, key);
		const called = this.store.claim(keys, this.ledger.ownFingerprints).then(() => keys);
		try {
			const claimed = await unlessStopped(called, this.ledger.stop);
			if (claimed) return claimed;
			void called.then(() => keys.forEach((key) => this.release(key))).catch(() => {});
		} catch (error) {
			for (const { itemIndex, stateBefore } of keys) {
				this.keys.delete(itemIndex);
				const isDoubtful = stateBefore === 'inDoubt' || stateBefore === 'awaited';
				this.ledger.settle(itemIndex, [isDoubtful ? say.notKnownYet : say.storeFailed(error)]);
			}
		}
		return [];
	}

	/** @param answer if all rows are there, so is this one; any other answer waits until the doubt is known */
	private newKey(
		job: Job,
		answer: Answer = this.answerTo(job) === 'allAreThere' ? 'allAreThere' : 'leave',
		answersTo?: DoubtReason,
	): Key {
		const { access, operation } = this.run;
		const { baseUrl, username } = access.session.account.settings;
		const changing = job.isIncomplete ? undefined : this.changing;
		const fingerprint = fingerprintOf(operation, job, changing, username);
		return new Key(job, `${baseUrl}\n${operation.route}`, fingerprint, answer, answersTo);
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
		throw say.inDoubt('unknownOutcome');
	}

	/** Why the marks do not tell whether the row's record is there. */
	private doubtOf({ stateBefore, hasNewValues }: Key): DoubtReason | undefined {
		if (stateBefore === 'inDoubt') return 'unknownOutcome';
		const { sendOnceCompare = comparedByDefault(this.run.operation) } = this.settings;
		if (sendOnceCompare === 'keys' || !this.changing) return undefined;
		if (stateBefore === 'processed') return hasNewValues ? 'otherValues' : undefined;
		// If some fields are not compared, the rest may be equal for every row.
		return hasNewValues === false && this.changing.size === 0 ? 'sameValues' : undefined;
	}

	/** Whether the record of a row in doubt is there, by a person's answer; undefined if that does not settle the doubt. */
	private isThere({ answer, answersTo, isOurs, doubt }: Key): boolean | undefined {
		if (!isOurs || (answersTo !== doubt && answer !== 'allAreThere')) return undefined;
		if (answer !== 'areNotThere') return true;
		// Sent again, a corrected row makes a second record; an update does not.
		return doubt === 'otherValues' && isCreating(this.run.operation) ? undefined : false;
	}

	/** The result of a row that is not sent because of its key; undefined when it is to be sent. */
	private resultOf(key: Key): Result | undefined {
		const { stateBefore, hasNewValues = false, itemIndex } = key;
		if (stateBefore === 'awaited') return say.notKnownYet;
		const isNew = stateBefore === 'notProcessed';
		const isAllThere = key.answer === 'allAreThere';
		key.doubt = this.doubtOf(key);
		const isThere = key.doubt ? this.isThere(key) : !isNew || isAllThere;
		const { problems } = this.ledger.items[itemIndex]!;
		if (isThere === undefined) return say.inDoubt(key.doubt!, problems);
		if (isNew && this.keepsAll && this.keyCount >= limits.all) return say.storeFull();
		const isChanged = hasNewValues && !(isNew || isAllThere || key.doubt);
		return isThere ? resultOfSent(key, isChanged) : undefined;
	}

	/** Enters the result of a row that is not sent. Rows in doubt, or waited for, do not end a run. */
	private enter({ itemIndex, value }: Key, result: Result): void {
		if (isFailure(result) && result.outcome !== 'notSent')
			this.ledger.setInterim(itemIndex, result.mapTexts(this.ledger.redact, value));
		else this.ledger.settle(itemIndex, [result]);
	}

	/** Settles a row that is not sent because of its key. A row that is not there leaves its key as it was. */
	private settle(key: Key, result: Result): void {
		this.enter(key, result);
		const isThere = !isFailure(result) && !result.changed;
		this.release(key, isThere ? 'processed' : 'notProcessed');
		if (isFailure(result) && key.doubt) this.doubtful.push(key);
	}

	/** To be called when the outcomes of rows that were sent are in the ledger. */
	settled(itemIndexes: readonly number[]): void {
		const stateOf = (row: number) => recordStateOf(this.ledger.items[row]!.results);
		for (const key of this.keysOf(itemIndexes)) this.release(key, stateOf(key.itemIndex));
	}

	/** @param outcome of this run. A row that it did not get processed leaves its key as it was before. */
	private release(key: Key, outcome: RecordState = 'notProcessed'): void {
		if (!key.isOurs || !this.keys.delete(key.itemIndex)) return;
		const { stateBefore, sent, started, fingerprintMark = '' } = key;
		const { ownFingerprints } = this.ledger;
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

	/** Releases the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		const { ledger, settings } = this;
		this.settled([...this.keys.keys()]);
		// When the execution is cancelled, nobody waits for the end of the run.
		const cancelled = ledger.cancelled ?? neverAborted;
		const isRecorded = await unlessStopped(this.store.close(), cancelled);
		if (!isRecorded) ledger.hint(say.unrecordedHint, 'n8n did not record every key');
		if (settings.sendOnceLookedUp !== 'leave' && hasFixedAnswer(this.parameters))
			ledger.hint(say.answeredHint, "'Send Once: Looked-Up Rows' is set");
		const isFilling = this.keepsAll && this.keyCount > limits.all / 2;
		if (isFilling) ledger.hint(say.fillingHint(this.keyCount));
	}
}
