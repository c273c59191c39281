// Send Once: each item has a key, and n8n remembers across runs which were sent. Before a slice of items is sent
// its keys are noted as begun, after their answers as done; what was certainly not processed is forgotten.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { Failure } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { withIncluded, type Job } from '../kinds/job';
import { quoted } from '../kinds/keys';
import { marksOf, standingOf, type Marks, type Standing } from './marks';
import { firstSize, isDue, nextSize } from './pace';
import { MarkStore } from './store';

/** Marks beyond those of the keys that are remembered: of what is under way, two for each key. */
const spare = 2048;

/** How often a slice is noted again, because another process has written over it. */
const mostRounds = 5;

const keyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

const named = (key: string): string => `The key ${quoted(key)}`;

const inDoubt = (key: string): Failure =>
	new Failure(
		`${named(key)} is in doubt: an earlier run was interrupted while sending it, or another is sending it now`,
		'unknown',
		{
			advice:
				"Look the record up in the service. If it is not there, send the item with 'Send Once: Send Anyway'.",
		},
	);

const alreadySent = (key: string): Failure =>
	new Failure(`${named(key)} was already sent by an earlier run`, 'done', {
		advice: 'Nothing was sent for this item.',
	});

const full = (key: string, remember: number): Failure =>
	new Failure(`${named(key)} is new, but ${remember} keys are remembered already`, 'notSent', {
		advice:
			"Nothing was sent for this item. Raise 'Send Once: Remember', let 'Send Once: When Full' forget the oldest, or put a copy of the node in its place: a copy remembers nothing.",
	});

const noStore = (error: unknown): Failure =>
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
	const key = keyOf(job);
	const { sendOnceIfSent } = job.values.settings;
	if (sendOnceIfSent === 'nothing') return [];
	if (sendOnceIfSent === 'error') return [alreadySent(key)];
	return [withIncluded({ alreadySent: true, key }, job.values)];
}

/** A job whose key is noted. */
interface Noted {
	job: Job;
	marks: Marks;
	/** What was known of the key before. */
	standing: Standing;
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
	private readonly underWay = new Map<number, Marks>();

	/** Marks to take away. */
	private over: string[] = [];

	/** Marks of what was done, to be looked at again: another process may have written over them. */
	private done: string[] = [];

	private size = firstSize;

	/** Items that were settled. */
	private answered = 0;

	/** The last call that took marks away: when it ended, and what it took, in milliseconds. */
	private last = { at: -Infinity, took: 0 };

	private noting?: Promise<void>;

	/** Marks that could not be taken away, or looked at again. */
	private unnoted = 0;

	private constructor(
		private readonly ledger: Ledger,
		private readonly store: MarkStore,
		private readonly scope: string,
		private readonly remember: number,
		private readonly forgets: boolean,
		/** Whether 'Send Anyway' counts. */
		private readonly sendsAnyway: boolean,
		/** Keys that are remembered. */
		private count: number,
	) {}

	/**
	 * @param baseUrl of the service: a key that was sent to one was not sent to another
	 * @param settings of the first item
	 * @param isKnown whether it is known what a run that this one is the retry of has sent: if not, it may be what
	 * was to be sent anyway
	 * @throws Failure `notSent` when n8n has no store
	 */
	static async open(
		ctx: IExecuteFunctions,
		{ request }: Operation,
		baseUrl: string,
		{ sendOnceRemember: remember, sendOnceWhenFull, allowWhenRetried }: Settings,
		ledger: Ledger,
		isKnown: boolean,
	): Promise<SendOnce> {
		const forgets = sendOnceWhenFull === 'forget';
		try {
			const store = new MarkStore(ctx, forgets ? remember + spare : undefined);
			const scope = `${baseUrl}\n${request}`;
			const sendsAnyway = isKnown || allowWhenRetried;
			const count = await store.count();
			return new SendOnce(ledger, store, scope, remember, forgets, sendsAnyway, count);
		} catch (error) {
			throw noStore(error);
		}
	}

	/** Notes the jobs as begun, a slice at a time, and gives those to be sent; the others are settled. */
	async *begin(jobs: AsyncIterable<Job>): AsyncGenerator<Job, void> {
		for await (const slice of sliced(jobs, () => this.size)) {
			const before = performance.now();
			const noted = await this.note(slice).catch(noStore);
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
			const size = nextSize(this.size, performance.now() - began, began - before);
			// While no answers come, no more is noted ahead: all of it would be in doubt.
			this.size = Math.min(size, Math.max(firstSize, this.answered));
		}
	}

	/**
	 * Notes a slice as begun. The store has no lock between processes: a mark of our own, read back, tells that
	 * none has written over it meanwhile.
	 * @returns the jobs, with what was known of each key before
	 */
	private async note(slice: readonly Job[]): Promise<Noted[]> {
		const keyed = slice.map((job) => ({ job, marks: marksOf(this.scope, keyOf(job)) }));
		for (let round = 0; round < mostRounds; round++) {
			const own = `own\n${randomUUID()}`;
			const done = [...this.done];
			const texts = keyed.flatMap(({ marks: { begun, open } }) => [begun, open]);
			const fresh = await this.store.record([...texts, ...done, own]);
			const lost = await this.store.record([own]);
			this.over.push(own);
			if (lost.has(own)) continue;
			this.done.splice(0, done.length);
			return keyed.map((one) => ({ ...one, standing: standingOf(one.marks, fresh) }));
		}
		throw new Error('Other runs of this node write over what this run notes');
	}

	/** Whether a job is to be sent. */
	private admits({ job, marks, standing }: Noted): boolean {
		const { itemIndex, values } = job;
		const anyway = this.sendsAnyway ? (values.settings.sendOnceAnyway ?? 'nothing') : 'nothing';
		const key = keyOf(job);
		this.underWay.set(itemIndex, marks);
		if (standing === 'new') this.count++;
		if (standing === 'new' && this.count > this.remember && !this.forgets) {
			this.ledger.settle(itemIndex, [full(key, this.remember)]);
		} else if (standing === 'inDoubt' && anyway === 'nothing') {
			this.ledger.settle(itemIndex, [inDoubt(key)]);
		} else if (standing === 'sent' && anyway !== 'all') {
			this.ledger.settle(itemIndex, resultsOfSent(job));
		} else {
			return true;
		}
		this.settled([itemIndex]);
		return false;
	}

	/** To be called when it is known, and entered in the ledger, what became of items. */
	settled(itemIndexes: readonly number[]): void {
		for (const itemIndex of itemIndexes) this.settleOne(itemIndex);
		const { at, took } = this.last;
		if (!this.noting && isDue(performance.now() - at, took)) void this.noteOver();
	}

	private settleOne(itemIndex: number): void {
		const marks = this.underWay.get(itemIndex);
		if (!marks) return;
		this.underWay.delete(itemIndex);
		this.answered++;
		const became = this.ledger.became(itemIndex);
		if (became === 'inDoubt') return;
		this.over.push(marks.open);
		if (became === 'processed') {
			this.done.push(marks.begun);
		} else {
			this.over.push(marks.begun);
			this.count--;
		}
	}

	/** Takes away the marks of what is over; one call at a time. */
	private async noteOver(): Promise<void> {
		await this.noting;
		const marks = this.over.splice(0);
		if (marks.length === 0) return;
		const began = performance.now();
		this.noting = this.store
			.remove(marks)
			.catch(() => void (this.unnoted += marks.length))
			.finally(() => {
				const now = performance.now();
				this.last = { at: now, took: now - began };
				this.noting = undefined;
			});
		await this.noting;
	}

	/** Notes the rest; to be called at the end of the run. */
	async close(): Promise<void> {
		this.settled([...this.underWay.keys()]);
		await this.noteOver();
		await this.store.record(this.done).catch(() => void (this.unnoted += this.done.length));
		if (this.unnoted > 0) {
			this.ledger.hint(
				'n8n could not note of all items that they were sent: a later run will name them as in doubt, and not send them again.',
			);
		}
		this.hintAtFullness();
	}

	private hintAtFullness(): void {
		if (this.count <= this.remember / 2) return;
		const then = this.forgets
			? 'beyond that the oldest are forgotten, and would be sent again.'
			: 'beyond that no item with a new key is sent.';
		this.ledger.hint(
			`'Send Once' remembers ${this.count} keys of this node, of ${this.remember} at most: ${then}`,
		);
	}
}
