// The result of checking one raw value.
type Value = string | number | boolean | string[] | object;

/** A remark for the person on a value that is sent: its time zone, or how it was read. */
export type ValueHint = 'localTimes' | 'yesAndNo' | 'tidiedLists';

/** The value to send, or what is wrong with the raw value. */
export type CheckedValue =
	| { value: Value; hint?: ValueHint }
	| { problem: string; advice?: string };

export const valid = (value: Value, hint?: ValueHint): CheckedValue => ({ value, hint });
export const invalid = (problem: string): CheckedValue => ({ problem });

/** The largest whole number that JavaScript, and so n8n, keeps exactly. Larger ones may have lost digits already. */
export const maxExactInteger = Number.MAX_SAFE_INTEGER;

export const isExact = (value: number): boolean => Math.abs(value) <= maxExactInteger;

export const exactRange = `at most ${maxExactInteger}, since larger ones lose digits`;

/** @returns undefined when the function throws */
export function orUndefined<Result>(give: () => Result): Result | undefined {
	try {
		return give();
	} catch {
		return undefined;
	}
}
