// Send Once: each item has a key, and n8n remembers across runs which were sent. Before a slice of items is sent
// its keys are noted as begun, after their answers as done; what was certainly not processed is forgotten.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { Failure } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { withIncluded, type Job } from '../kinds/job';
import { quotedKey } from '../kinds/uniqueKeys';
import { marksOf, keyStatusOf, type KeyMarks, type KeyStatus } from './keyMarks';
import { firstSliceSize, isRemovalDue, nextSliceSize } from './pace';
import { MarkStore } from './markStore';

/** Marks beyond those of the keys that are remembered: of what is under way, two for each key. */
const spareMarks = 2048;

/** How often a slice is noted again, because another process has written over it. */
const maxRecordings = 5;

const sendOnceKeyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

const keyInWords = (key: string): string => `The key ${quotedKey(key)}`;

const keyInDoubt = (key: string): Failure =>
	new Failure(
		`${keyInWords(key)} is in doubt: an earlier run was interrupted while sending it, or another is sending it now`,
		'unknown',
		{
			advice:
				"Look the record up in the service. If it is not there, send the item with 'Send Once: Send Anyway'.",
		},
	);

const alreadySent = (key: string): Failure =>
	new Failure(`${keyInWords(key)} was already sent by an earlier run`, 'done', {
		advice: 'Nothing was sent for this item.',
	});

const storeFull = (key: string, remember: number): Failure =>
	new Failure(
		`${keyInWords(key)} is new, but ${remember} keys are already remembered, which is the limit`,
		'notSent',
		{
			advice:
				"Nothing was sent for this item. Raise 'Send Once: Remember', set 'Send Once: When Full' to 'Forget the Oldest', or replace the node with a copy of it: a copy remembers nothing.",
		},
	);

const storeFailed = (error: unknown): Failure =>
	new Failure(
		`Not sent: n8n could not note the key. It says: ${(error as Error).message}`,
		'notSent',
		{
			advice:
				"'Send Once: Key' needs n8n's database and a workflow that was saved. Save the workflow, or remove the option.",
			retryable: true,
		},
	);

/** What an item gives that an earlier run has sent, by the setting 'If Already Sent'. */
function resultsOfSent(job: Job): Array<IDataObject | Failure> {
	const key = sendOnceKeyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, job.values)];
}

/** A job whose key is noted. */
interface NotedJob {
	job: Job;
	marks: KeyMarks;
	/** What was known of the key before. */
	status: KeyStatus;
}

/** Jobs in lists of a size that is asked for anew for each. */
async function* sliced(jobs: AsyncIterable<Job>, size: () => number): AsyncGenerator<Job[]> {
	let slice: Job[] = [];
	for await (const job of jobs) {
		slice.push(job);
		if (slice.length < size()) continue;
		yield slice;
		slice = [];
	}
	if (slice.length > 0) yield slice;
}

export class SendOnce {
	/** Of the items that were begun and not settled. */
	private readonly unsettled = new Map<number, KeyMarks>();

	/** Marks to take away. */
	private toRemove: string[] = [];

	/** Marks of what was done, to be looked at again: another process may have written over them. */
	private toConfirm: string[] = [];

	private sliceSize = firstSliceSize;

	/** Items that were settled. */
	private answered = 0;

	/** The last call that took marks away: when it ended, and what it took, in milliseconds. */
	private lastRemoval = { at: -Infinity, took: 0 };

	private removing?: Promise<void>;

	/** Marks that could not be taken away, or looked at again. */
	private unnoted = 0;

	private constructor(
		private readonly ledger: Ledger,
		private readonly store: MarkStore,
		private readonly scope: string,
		private readonly maxKeys: number,
		private readonly forgetsOldest: boolean,
		/** Whether 'Send Anyway' counts. */
		private readonly sendsAnyway: boolean,
		/** Keys that are remembered. */
		private keyCount: number,
	) {}

	/**
	 * @param baseUrl of the service: a key that was sent to one was not sent to another
	 * @param settings of the first item
	 * @param knowsEarlierSends whether it is known what a run that this one is the retry of has sent: if not, it may be what
	 * was to be sent anyway
	 * @throws Failure `notSent` when n8n has no store
	 */
	static async open(
		ctx: IExecuteFunctions,
		{ request }: Operation,
		baseUrl: string,
		{ sendOnceRemember: remember, sendOnceWhenFull, allowWhenRetried }: Settings,
		ledger: Ledger,
		knowsEarlierSends: boolean,
	): Promise<SendOnce> {
		const forgets = sendOnceWhenFull === 'forget';
		try {
			const store = new MarkStore(ctx, forgets ? remember + spareMarks : undefined);
			const scope = `${baseUrl}\n${request}`;
			const sendsAnyway = knowsEarlierSends || allowWhenRetried;
			const count = await store.count();
			return new SendOnce(ledger, store, scope, remember, forgets, sendsAnyway, count);
		} catch (error) {
			throw storeFailed(error);
		}
	}

	/** Notes the jobs as begun, a slice at a time, and gives those to be sent; the others are settled. */
	async *noteAndAdmit(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		for await (const slice of sliced(jobs, () => this.sliceSize)) {
			const before = performance.now();
			const noted = await this.note(slice).catch(storeFailed);
			if (noted instanceof Failure) {
				this.ledger.fail(
					slice.map(({ itemIndex }) => itemIndex),
					noted,
					'notSent',
				);
				continue;
			}
			const began = performance.now();
			yield* noted.filter((entry) => this.admits(entry)).map(({ job }) => job);
			const size = nextSliceSize(this.sliceSize, performance.now() - began, began - before);
			// While no answers come, no more is noted ahead: all of it would be in doubt.
			this.sliceSize = Math.min(size, Math.max(firstSliceSize, this.answered));
		}
	}

	/**
	 * Notes a slice as begun. The store has no lock between processes: a mark of our own, read back, tells that
	 * none has written over it meanwhile.
	 * @returns the jobs, with what was known of each key before
	 */
	private async note(slice: readonly Job[]): Promise<NotedJob[]> {
		const keyed = slice.map((job) => ({ job, marks: marksOf(this.scope, sendOnceKeyOf(job)) }));
		for (let round = 0; round < maxRecordings; round++) {
			const own = `own\n${randomUUID()}`;
			const done = [...this.toConfirm];
			const texts = keyed.flatMap(({ marks: { begun, open } }) => [begun, open]);
			const fresh = await this.store.record([...texts, ...done, own]);
			const lost = await this.store.record([own]);
			this.toRemove.push(own);
			if (lost.has(own)) continue;
			this.toConfirm.splice(0, done.length);
			return keyed.map((one) => ({ ...one, status: keyStatusOf(one.marks, fresh) }));
		}
		throw new Error('Other runs of this node overwrite the keys that this run notes');
	}

	/** Whether a job is to be sent. */
	private admits({ job, marks, status }: NotedJob): boolean {
		const { itemIndex, values } = job;
		const anyway = this.sendsAnyway ? (values.settings.sendOnceAnyway ?? 'nothing') : 'nothing';
		const key = sendOnceKeyOf(job);
		this.unsettled.set(itemIndex, marks);
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
		this.noteSettled([itemIndex]);
		return false;
	}

	/** To be called when it is known, and entered in the ledger, what became of items. */
	noteSettled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.settleOne(itemIndex);
		const { at, took } = this.lastRemoval;
		if (!this.removing && isRemovalDue(performance.now() - at, took)) void this.removeMarks();
	}

	private settleOne(itemIndex: number): void {
		const marks = this.unsettled.get(itemIndex);
		if (!marks) return;
		this.unsettled.delete(itemIndex);
		this.answered++;
		const became = this.ledger.outcomeOf(itemIndex);
		if (became === 'inDoubt') return;
		this.toRemove.push(marks.open);
		if (became === 'processed') {
			this.toConfirm.push(marks.begun);
		} else {
			this.toRemove.push(marks.begun);
			this.keyCount--;
		}
	}

	/** Takes away the marks of what is over; one call at a time. */
	private async removeMarks(): Promise<void> {
		await this.removing;
		const marks = this.toRemove.splice(0);
		if (marks.length === 0) return;
		const began = performance.now();
		this.removing = this.store
			.remove(marks)
			.catch(() => void (this.unnoted += marks.length))
			.finally(() => {
				const now = performance.now();
				this.lastRemoval = { at: now, took: now - began };
				this.removing = undefined;
			});
		await this.removing;
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		this.noteSettled([...this.unsettled.keys()]);
		await this.removeMarks();
		await this.store
			.record(this.toConfirm)
			.catch(() => void (this.unnoted += this.toConfirm.length));
		if (this.unnoted > 0) {
			this.ledger.hint(
				'n8n could not note for all items that they were sent: a later run will report them as in doubt, and not send them again.',
			);
		}
		this.hintAtFullness();
	}

	private hintAtFullness(): void {
		if (this.keyCount <= this.maxKeys / 2) return;
		const then = this.forgetsOldest
			? 'the oldest are forgotten, and their items would be sent again.'
			: 'no item with a new key is sent.';
		this.ledger.hint(
			`'Send Once' remembers ${this.keyCount} keys of this node; the limit is ${this.maxKeys}. When it is reached, ${then}`,
		);
	}
}
