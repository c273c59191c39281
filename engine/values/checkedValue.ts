// The result of checking one raw value.
import type { HintKind } from './inputHints';

type Value = string | number | boolean | string[] | object;

/** The value to send, with what a person should know of how it was read; or what is wrong with the raw value. */
export type CheckedValue = { value: Value; hint?: HintKind } | { problem: string; advice?: string };

export const valid = (value: Value, hint?: HintKind): CheckedValue => ({ value, hint });
export const invalid = (problem: string): CheckedValue => ({ problem });

export const exactRange = `at most ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
