// The law of Send Once: what a row gets follows from its key and its values alone. It is written from the table in
// docs/across-runs.md, and knows nothing of the engine.

/** What n8n may have remembered of a key. */
type KeyState = 'never' | 'sent' | 'unknown';

export type Verdict =
	| 'sent'
	| 'alreadySent'
	| 'changed'
	| 'sameValues'
	| 'otherValues'
	| 'unknownOutcome';

export const doubts: readonly string[] = ['sameValues', 'otherValues', 'unknownOutcome'];

export type Answer = 'leave' | 'areThere' | 'areNotThere' | 'allAreThere';

export interface KeyedRow {
	key: string;
	/** What the service gets for it. */
	values: string;
}

/** How a node compares rows. */
export interface Comparison {
	/** Whether keys alone are compared. */
	isByKey: boolean;
	/** Whether all values, none, or some of them are the same each time that they are read. */
	lasting: 'all' | 'some' | 'none';
	/** Whether sending a row again makes no second record. */
	isUpdate: boolean;
}

/**
 * What came of a row: what the run told of it; or that its request went without a response; or, of a run that told
 * nothing, whether the service did it, may have done it, or was not asked or refused.
 */
export type Fate = Verdict | 'inDoubt' | 'performed' | 'unsettled' | 'unsent';

const oneOf = <One extends string>(all: readonly One[], one: string): boolean =>
	(all as readonly string[]).includes(one);

export class KeyLaw {
	/** By key: all states that it may have. */
	private readonly keys = new Map<string, ReadonlySet<KeyState>>();

	/** By values: whether they were sent, or may have been. */
	private readonly values = new Map<string, ReadonlySet<boolean>>();

	constructor(private readonly how: Comparison) {}

	private statesOf(key: string): ReadonlySet<KeyState> {
		return this.keys.get(key) ?? new Set<KeyState>(['never']);
	}

	private sendsOf(values: string): ReadonlySet<boolean> {
		return this.values.get(values) ?? new Set([false]);
	}

	/** Whether n8n certainly remembers the row's key as sent. */
	knows({ key }: KeyedRow): boolean {
		return [...this.statesOf(key)].join() === 'sent';
	}

	/** Whether the row may be sent although an earlier version of it is there: neither mark shows it. */
	maySendAgain({ key, values }: KeyedRow): boolean {
		const { isByKey, lasting, isUpdate } = this.how;
		const isNewKey = this.statesOf(key).has('never');
		return (
			isUpdate || (isNewKey && (isByKey || lasting !== 'all' || this.sendsOf(values).has(false)))
		);
	}

	/** What a run may tell of a row. */
	verdicts({ key, values }: KeyedRow, answer: Answer = 'leave'): ReadonlySet<Verdict> {
		const all = [...this.statesOf(key)].flatMap((state) =>
			[...this.sendsOf(values)].map((wereSent) =>
				this.answered(this.verdict(state, wereSent), answer),
			),
		);
		return new Set(all);
	}

	private verdict(state: KeyState, wereSent: boolean): Verdict {
		const { isByKey, lasting } = this.how;
		if (state === 'unknown') return 'unknownOutcome';
		if (state === 'never') return wereSent && !isByKey && lasting === 'all' ? 'sameValues' : 'sent';
		if (wereSent || lasting === 'none') return 'alreadySent';
		return isByKey ? 'changed' : 'otherValues';
	}

	private answered(verdict: Verdict, answer: Answer): Verdict {
		if (answer === 'allAreThere') return 'alreadySent';
		if (answer === 'leave' || !doubts.includes(verdict)) return verdict;
		if (answer === 'areThere') return 'alreadySent';
		return verdict === 'otherValues' && !this.how.isUpdate ? verdict : 'sent';
	}

	/**
	 * Learns what came of the rows of a run.
	 * @param isKilled whether its process died, which may have claimed the keys of rows that it never sent
	 */
	learn(rows: ReadonlyArray<readonly [KeyedRow, Fate]>, isKilled = false): void {
		for (const [{ key }, fate] of rows)
			this.keys.set(key, new Set(this.statesAfter(key, fate, isKilled)));
		const fates = new Map<string, Fate[]>();
		for (const [{ values }, fate] of rows) fates.set(values, [...(fates.get(values) ?? []), fate]);
		for (const [values, all] of fates) {
			const some = (...wanted: Fate[]) => all.some((fate) => oneOf(wanted, fate));
			const wereSent = some('sent', 'alreadySent', 'sameValues', 'inDoubt', 'performed');
			const before = some('changed', 'otherValues') ? [false] : this.sendsOf(values);
			const isMarked = some('unsettled') || (isKilled && some('unsent'));
			this.values.set(values, new Set(wereSent ? [true] : isMarked ? [...before, true] : before));
		}
	}

	private statesAfter(key: string, fate: Fate, isKilled: boolean): Iterable<KeyState> {
		const before = this.statesOf(key);
		if (fate === 'unsettled' || fate === 'performed') return [...before, 'sent', 'unknown'];
		if (fate === 'unsent') return isKilled ? [...before, 'unknown'] : before;
		if (fate === 'sameValues') return ['never'];
		return oneOf(['inDoubt', 'unknownOutcome'], fate) ? ['unknown'] : ['sent'];
	}
}
