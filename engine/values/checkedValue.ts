// The result of checking one raw value.
import type { HintKind } from './inputHints';

type Value = string | number | boolean | string[] | object;

/** The value to send, or the problem of the raw value; with hints if it was read in an unusual way. */
export type CheckedValue = { hints?: ReadonlyArray<HintKind | undefined> } & (
	| { value: Value }
	| { problem: string; advice?: string }
);

export const valid = (value: Value, ...hints: Array<HintKind | undefined>): CheckedValue => ({
	value,
	hints,
});
export const invalid = (problem: string): CheckedValue => ({ problem });

export const exactRange = `at most ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
