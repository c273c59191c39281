// Turns one raw value into the value that is sent, or says in plain words what is wrong with it.
import type { ScalarField, ScalarType } from '../area';
import { isObject } from '../http/json';
import {
	isoOfObject,
	plainText,
	readDateTime,
	readIsoDate,
	type DateConventions,
} from './dateTime';

type Value = string | number | boolean | string[] | object;
/** The value to send, or the problem with the raw value. */
export type CheckedValue =
	| { value: Value; hasEmptyEntries?: boolean; isLocal?: boolean }
	| { problem: string; advice?: string };

const valid = (value: Value): CheckedValue => ({ value });
const invalid = (problem: string): CheckedValue => ({ problem });

/** @returns undefined when the function throws */
function orUndefined<Result>(give: () => Result): Result | undefined {
	try {
		return give();
	} catch {
		return undefined;
	}
}

/** Reads JSON text, whose numbers are refused like those of an expression when they lose digits. */
export const readJsonText = (text: string): unknown =>
	orUndefined(() => JSON.parse(text) as unknown);

/**
 * The most characters of a text that is read as anything but free text: a header is as long as the line that every server
 * has to read (RFC 9112 §3), and no other value needs as many. Whoever calls a webhook chooses how many come.
 */
const maxCharacters = 8000;

/** Types whose texts may have any length. */
const freeTexts: readonly ScalarType[] = ['text', 'textList', 'object', 'objectList'];

/** The largest whole number that JavaScript, and so n8n, keeps exactly. Larger ones may have lost digits already. */
const maxExactInteger = Number.MAX_SAFE_INTEGER;

const isExact = (value: number): boolean => Math.abs(value) <= maxExactInteger;

const exactRange = `at most ${maxExactInteger}, since larger ones lose digits`;

/**
 * Takes a number, or a text that is one; fractions are rounded like in every reader of JSON.
 * @param expected what the number must be
 */
function readNumber(raw: unknown, expected: string): CheckedValue {
	const isText = typeof raw === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(raw);
	const value = isText || typeof raw === 'number' ? Number(raw) : NaN;
	if (!Number.isFinite(value)) return invalid(expected);
	return isExact(value) ? valid(value) : invalid(`${expected}, ${exactRange}`);
}

function readTextValue(raw: unknown): CheckedValue {
	// As JavaScript and luxon write a date that is none.
	if (typeof raw === 'string')
		return /^Invalid Date(Time)?$/.test(raw) ? invalid('must be a valid date') : valid(raw);
	if (typeof raw === 'number' && Number.isFinite(raw)) {
		return isExact(raw)
			? valid(String(raw))
			: invalid(`must be text: as a number, digits beyond ${maxExactInteger} are lost`);
	}
	if (typeof raw === 'boolean') return valid(String(raw));
	const iso = isoOfObject(raw);
	return iso ? valid(iso) : invalid('must be text');
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A Map, a Set or a regular expression would silently become {}. */
const jsonTypes = ['Object', 'Array', 'String', 'Boolean', 'Null'];

/**
 * Whether JSON holds all of a value: NaN would become null, and what is undefined would be left out.
 * @throws RangeError for a value of thousands of levels, or one that contains itself
 */
function isJsonSafe(value: unknown): boolean {
	const iso = isoOfObject(value);
	if (iso !== undefined) return iso !== '';
	if (typeof value === 'number') return isExact(value);
	if (!jsonTypes.includes(Object.prototype.toString.call(value).slice(8, -1))) return false;
	return typeof value !== 'object' || Object.values(value ?? {}).every(isJsonSafe);
}

/** A JSON field takes text, or an object or a list from an expression. */
const readJson =
	(expected: string, isExpected: (value: unknown) => value is object) =>
	(raw: unknown): CheckedValue => {
		const value = typeof raw === 'string' ? readJsonText(raw) : raw;
		if (!isExpected(value)) return invalid(`must be ${expected}`);
		const copy = orUndefined(
			() => isJsonSafe(value) && (JSON.parse(JSON.stringify(value)) as object),
		);
		if (copy) return valid(copy);
		const kinds = `text, true, false, null, numbers of ${exactRange}, and lists and objects of these`;
		return invalid(
			`must be ${expected} with only what JSON can hold: ${kinds}, not thousands of levels deep`,
		);
	};

/** A header's value has no control characters, and the blanks around it do not belong to it (RFC 9110 §5.5). */
function readHeader(raw: unknown): CheckedValue {
	if (typeof raw === 'number') return readTextValue(raw);
	if (typeof raw !== 'string') return invalid('must be text or a number');
	const text = raw.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
	return /^[\x20-\x7e]+$/.test(text)
		? valid(text)
		: invalid('must be one line of plain ASCII characters');
}

const rangeOf = (min: number, max: number): string => {
	if (max < Infinity) return ` from ${min} to ${max}`;
	return min > -Infinity ? `, ${min} or more` : '';
};

type ScalarReader = (raw: unknown, field: ScalarField, dates: DateConventions) => CheckedValue;

const choicesInWords = ({ choices = [] }: ScalarField): string =>
	choices.map(({ value }) => value).join(', ');

const readChoice: ScalarReader = (raw, field) =>
	field.choices?.some(({ value }) => raw === value)
		? valid(raw as string)
		: invalid(`must be one of ${choicesInWords(field)}`);

/** Reads a list, in which a value stands for a list of one, and a list for its entries. Those without a value are left out. */
const readListOf =
	(readEntry: ScalarReader, expected: (field: ScalarField) => string): ScalarReader =>
	(raw, field, dates) => {
		const given = [raw].flat(2);
		const entries = given.filter((entry) => entry !== undefined && entry !== null && entry !== '');
		const checked = entries.map((entry) => readEntry(entry, field, dates));
		const values = checked.flatMap((each) => ('value' in each ? [each.value as string] : []));
		if (values.length < entries.length) return invalid(expected(field));
		return { value: values, hasEmptyEntries: entries.length < given.length };
	};

const scalarReaders: Record<ScalarType, ScalarReader> = {
	text(raw, { isPath, isDate, example }) {
		const text = plainText(raw);
		if (isPath && /^\d+$|\/$|\/\/|\/(undefined|null)\b/.test(text)) {
			const path = example as string;
			const [before] = path.split(/\d/);
			return invalid(`must be a path such as ${path}: write ${before} before {{ }}`);
		}
		const date = isDate ? readIsoDate(isoOfObject(raw) ?? text) : undefined;
		if (date === null) return invalid('there is no such date or time');
		// In a collection, n8n gives a date of an expression as text with the offset of the workflow's time zone.
		return date?.offset && date.offset !== 'Z'
			? valid(new Date(`${date.wall}${date.fraction}${date.offset}`).toISOString())
			: readTextValue(raw);
	},
	dateTime: (raw, _field, dates) => readDateTime(raw, dates),
	integer(raw, { min = -Infinity, max = Infinity }) {
		const expected = `must be a whole number${rangeOf(min, max)}`;
		const checked = readNumber(raw, expected);
		if ('problem' in checked) return checked;
		const value = Number(checked.value);
		const fits = Number.isInteger(value) && value >= min && value <= max;
		return fits ? checked : invalid(expected);
	},
	number: (raw) => readNumber(raw, 'must be a number'),
	boolean(raw) {
		if (typeof raw === 'boolean') return valid(raw);
		// Spreadsheets write TRUE and FALSE. What yes, no, 1 and 0 mean is not guessed.
		const text = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
		return text === 'true' || text === 'false'
			? valid(text === 'true')
			: invalid('must be true or false');
	},
	uuid(raw) {
		const text = plainText(raw);
		return uuidPattern.test(text)
			? valid(text)
			: invalid('must be a UUID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301');
	},
	// Only rows that are read have one.
	email: readTextValue,
	textList: readListOf(readTextValue, () => 'must be a list of text values'),
	object: readJson(
		'a JSON object',
		(value): value is object => isObject(value) && isoOfObject(value) === undefined,
	),
	objectList: readJson(
		'a JSON list of objects',
		(value): value is object[] => Array.isArray(value) && value.every(isObject),
	),
	choice: readChoice,
	choices: readListOf(readChoice, (field) => `must be some of ${choicesInWords(field)}`),
	header: readHeader,
	file(raw) {
		if (Array.isArray(raw))
			return invalid(
				'must be one file: for several, put a Split Out node with $binary before this node',
			);
		const isReference = typeof raw === 'string' || typeof raw === 'object';
		return isReference ? valid(raw as string) : invalid('must be the name of a binary field');
	},
};

/** The value as it was given, short enough for a message. */
export function formatValue(raw: unknown): string {
	if (raw === '') return 'empty';
	const iso = isoOfObject(raw);
	if (iso !== undefined) return iso === '' ? 'an invalid date' : `a date (${iso})`;
	if (typeof raw === 'number') return String(raw);
	const text =
		orUndefined(() => JSON.stringify(raw) as string | undefined) ??
		(typeof raw === 'object' ? 'an object' : `a ${typeof raw}`);
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/**
 * @param raw what the form, the item or an expression gave; neither undefined nor null
 */
export const readScalar: ScalarReader = (raw, field, dates) => {
	if (typeof raw === 'string' && raw.length > maxCharacters && !freeTexts.includes(field.type)) {
		return invalid(`must have at most ${maxCharacters} characters`);
	}
	return scalarReaders[field.type](raw, field, dates);
};
