// The result of checking one raw value.
import type { HintKind } from './inputHints';

type Value = string | number | boolean | string[] | object;

type Hints = Array<HintKind | undefined>;

/** The value to send, or the problem of the raw value; with hints if it was read in an unusual way. */
export type CheckedValue =
	| { value: Value; hints?: Hints }
	| { problem: string; advice?: string; hints?: Hints };

export const valid = (value: Value, ...hints: Hints): CheckedValue => ({ value, hints });
export const invalid = (problem: string): CheckedValue => ({ problem });

export const exactRange = `at most ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
