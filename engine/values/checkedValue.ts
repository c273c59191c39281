// The result of checking one raw value.
type Value = string | number | boolean | string[] | object;

/** A remark for the person on a value that is sent: its time zone, or how it was read. */
export type ValueHint = 'localTimes' | 'oldDates' | 'yesAndNo' | 'tidiedLists';

/** The value to send, or what is wrong with the raw value. */
export type CheckedValue =
	| { value: Value; hint?: ValueHint }
	| { problem: string; advice?: string };

/** What an expression gave that found nothing: an empty cell gives '' or null. */
export class Unresolved {
	constructor(readonly expression: string) {}
}

export const isUnset = (raw: unknown): raw is undefined | null | Unresolved =>
	raw === undefined || raw === null || raw instanceof Unresolved;

export const valid = (value: Value, hint?: ValueHint): CheckedValue => ({ value, hint });
export const invalid = (problem: string): CheckedValue => ({ problem });

export const exactRange = `at most ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;

/** @returns undefined when the function throws */
export function orUndefined<Result>(give: () => Result): Result | undefined {
	try {
		return give();
	} catch {
		return undefined;
	}
}
