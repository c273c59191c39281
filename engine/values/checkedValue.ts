// The result of checking one raw value.
import type { HintKind } from './inputHints';

type Value = string | number | boolean | string[] | object;

/** The value to send, with a hint if it was read in an unusual way; or the problem of the raw value. */
export type CheckedValue = { value: Value; hint?: HintKind } | { problem: string; advice?: string };

export const valid = (value: Value, hint?: HintKind): CheckedValue => ({ value, hint });
export const invalid = (problem: string): CheckedValue => ({ problem });

export const exactRange = `at most ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
