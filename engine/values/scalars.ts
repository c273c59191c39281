// One raw value → the value that is sent, or what is wrong with it in plain words.
import type { ScalarField, ScalarType } from '../area';
import { isObject, parseJson } from '../http/json';
import { toJsonSafe, isExact, maxExactInteger } from './jsonSafe';
import { isoOfObject, readDateTime } from './dateTime';

type Value = string | number | boolean | string[] | object;
/** What a raw value comes to; `leftOut` are names inside it that have no value. */
export type CheckedValue = { value: Value; leftOut?: readonly string[] } | { wrong: string };

const fits = (value: Value): CheckedValue => ({ value });
const wrong = (text: string): CheckedValue => ({ wrong: text });

const tooLarge = `at most ${maxExactInteger}, since larger ones lose digits`;

/** A number, or text that holds one; fractions are rounded as every reader of JSON does. */
function readNumber(raw: unknown): number | undefined {
	if (typeof raw === 'number') return raw;
	const isPlain = typeof raw === 'string' && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(raw);
	return isPlain ? Number(raw) : undefined;
}

/** '-0150.0e2' → '15' */
const significantDigits = (text: string): string =>
	text
		.replace(/e.*$/i, '')
		.replace(/\D/g, '')
		.replace(/^0+|0+$/g, '');

/** Whether text became a whole number only because it was rounded. */
const isRounded = (raw: unknown, value: number): boolean =>
	typeof raw === 'string' && significantDigits(raw) !== significantDigits(value.toExponential());

function readTextValue(raw: unknown): CheckedValue {
	if (typeof raw === 'string') {
		return /\p{Surrogate}/u.test(raw)
			? wrong(
					'must be complete text: it contains half of a character, such as an emoji that was cut in two',
				)
			: fits(raw);
	}
	if (typeof raw === 'number' && Number.isFinite(raw)) {
		return isExact(raw)
			? fits(String(raw))
			: wrong(`must be text: as a number, digits beyond ${maxExactInteger} are lost`);
	}
	if (typeof raw === 'boolean') return fits(String(raw));
	const iso = isoOfObject(raw);
	return iso ? fits(iso) : wrong('must be text');
}

const matching = (pattern: RegExp, expected: string) => (raw: unknown) => {
	const text = typeof raw === 'string' ? raw.trim() : '';
	return pattern.test(text) ? fits(text) : wrong(expected);
};

/** A JSON field takes text or what an expression gives. */
const readJson =
	(expected: string, isExpected: (value: unknown) => value is object) =>
	(raw: unknown): CheckedValue => {
		const value = typeof raw === 'string' ? parseJson(raw) : raw;
		if (!isExpected(value)) return wrong(`must be ${expected}`);
		const whole = toJsonSafe(value);
		return whole
			? { value: whole.value as object, leftOut: whole.leftOut }
			: wrong(
					`must be ${expected} with only what JSON can hold: text, true, false, null, numbers of ${tooLarge}, and lists and objects of these, not thousands of levels deep`,
				);
	};

/** RFC 9110 §5.5: a header's value has no control characters, and the blanks around it do not belong to it. */
function readHeader(raw: unknown): CheckedValue {
	if (typeof raw !== 'string' && typeof raw !== 'number') return wrong('must be text or a number');
	const read =
		typeof raw === 'number' ? readTextValue(raw) : fits(raw.replace(/^[ \t]+|[ \t]+$/g, ''));
	if ('wrong' in read || /^[\x20-\x7e]+$/.test(read.value as string)) return read;
	return wrong('must be one line of plain ASCII characters');
}

const rangeOf = (min: number, max: number): string => {
	if (max < Infinity) return ` from ${min} to ${max}`;
	return min > -Infinity ? `, ${min} or more` : '';
};

type ScalarReader = (raw: unknown, field: ScalarField, zone: string) => CheckedValue;

const scalarReaders: Record<ScalarType, ScalarReader> = {
	text: readTextValue,
	dateTime: (raw, { name }, zone) => readDateTime(raw, zone, name),
	integer(raw, { min = -Infinity, max = Infinity }) {
		const value = readNumber(raw);
		const expected = `must be a whole number${rangeOf(min, max)}`;
		if (!Number.isInteger(value)) return wrong(expected);
		const whole = value as number;
		if (!isExact(whole)) return wrong(`${expected}, ${tooLarge}`);
		return isRounded(raw, whole) || whole < min || whole > max ? wrong(expected) : fits(whole);
	},
	number(raw) {
		const value = readNumber(raw);
		if (value === undefined || !Number.isFinite(value)) return wrong('must be a number');
		return isExact(value) ? fits(value) : wrong(`must be a number, ${tooLarge}`);
	},
	boolean(raw) {
		if (typeof raw === 'boolean') return fits(raw);
		// Spreadsheets write TRUE and FALSE. What yes, no, 1 and 0 mean is for the person to say.
		const text = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
		return text === 'true' || text === 'false'
			? fits(text === 'true')
			: wrong('must be true or false');
	},
	uuid: matching(
		/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
		'must be a UUID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	),
	email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address, such as name@email.com'),
	textList(raw) {
		const entries = [raw].flat().map(readTextValue);
		const values = entries.flatMap((entry) => ('value' in entry ? [entry.value as string] : []));
		return values.length === entries.length ? fits(values) : wrong('must be a list of text values');
	},
	object: readJson(
		'a JSON object',
		(value): value is object => isObject(value) && isoOfObject(value) === undefined,
	),
	objectList: readJson(
		'a JSON list of objects',
		(value): value is object[] => Array.isArray(value) && value.every(isObject),
	),
	choice(raw, { choices = [] }) {
		const allowed = choices.map(({ value }) => value);
		return allowed.includes(raw as string)
			? fits(raw as string)
			: wrong(`must be one of ${allowed.join(', ')}`);
	},
	choices(raw, { choices = [] }) {
		const allowed = choices.map(({ value }) => value);
		const chosen = [raw].flat();
		return chosen.every((value) => allowed.includes(value as string))
			? fits(chosen as string[])
			: wrong(`must be some of ${allowed.join(', ')}`);
	},
	header: readHeader,
	file: (raw) =>
		typeof raw === 'string' || typeof raw === 'object'
			? fits(raw as string)
			: wrong('must be the name of a binary field'),
};

/** As JSON, if it can be: not what holds itself, or is too deep. */
function asJson(raw: unknown): string | undefined {
	try {
		return JSON.stringify(raw) as string | undefined;
	} catch {
		return undefined;
	}
}

/** What was given, short enough for a message. */
export function shownValue(raw: unknown): string {
	const iso = isoOfObject(raw);
	if (iso !== undefined) return iso === '' ? 'an invalid date' : `a date (${iso})`;
	if (typeof raw === 'number') return String(raw);
	const text = asJson(raw) ?? (typeof raw === 'object' ? 'an object' : `a ${typeof raw}`);
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/**
 * @param raw what the form, the item or an expression gave; not undefined or null
 * @param zone IANA name of the workflow's time zone
 */
export const readScalar: ScalarReader = (raw, field, zone) =>
	scalarReaders[field.type](raw, field, zone);
