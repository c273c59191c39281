// One raw value → the value that is sent, or what is wrong with it in plain words.
import { DateTime } from 'luxon';

import type { ScalarField, ScalarType } from '../area';
import { isObject, parseJson } from '../http/json';

type Value = string | number | boolean | string[] | object;
/** What a raw value comes to. */
export type Checked = { value: Value } | { wrong: string };

const fits = (value: Value): Checked => ({ value });
const wrong = (text: string): Checked => ({ wrong: text });

/** A luxon DateTime, also one from another copy of luxon (n8n's expressions bring their own). */
const isLuxon = (raw: unknown): raw is DateTime =>
	typeof raw === 'object' && raw !== null && 'isLuxonDateTime' in raw;
const isDate = (raw: unknown): raw is Date =>
	Object.prototype.toString.call(raw) === '[object Date]';

/** A date object from an expression as ISO 8601 with offset; undefined for anything else, '' if invalid. */
function isoOfObject(raw: unknown): string | undefined {
	if (isLuxon(raw)) return raw.toISO() ?? '';
	if (isDate(raw)) return Number.isNaN(raw.getTime()) ? '' : raw.toISOString();
	return undefined;
}

const localTime = "yyyy-MM-dd'T'HH:mm:ss";
const startsWithDate = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
const endsWithOffset = /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i;
const parse = (text: string, zone: string) => {
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
};

/**
 * A date-time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, as n8n's date picker
 * gives it, is read in the workflow's time zone; of a local time that occurs twice, the first one counts.
 */
function readDateTime(raw: unknown, zone: string): Checked {
	const expected =
		'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00';
	const ofObject = isoOfObject(raw);
	if (ofObject !== undefined) return ofObject === '' ? wrong(expected) : fits(ofObject);
	if (typeof raw !== 'string') return wrong(expected);
	const text = raw.trim();
	if (!startsWithDate.test(text)) return wrong(expected);
	const time = parse(text, zone);
	if (!time.isValid) return wrong(expected);
	const isoOf = (moment: DateTime) =>
		(moment as DateTime<true>).toISO({ suppressMilliseconds: true });
	if (endsWithOffset.test(text)) return fits(isoOf(time));
	if (time.toFormat(localTime) !== parse(text, 'UTC').toFormat(localTime)) {
		return wrong(
			`must be a time that exists: clocks in ${zone} skip it when daylight saving begins`,
		);
	}
	const [first = time] = time.getPossibleOffsets();
	return fits(isoOf(first));
}

function readNumber(raw: unknown): number | undefined {
	if (typeof raw === 'number') return raw;
	const isPlain = typeof raw === 'string' && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(raw);
	return isPlain ? Number(raw) : undefined;
}

function readText(raw: unknown): Checked {
	if (typeof raw === 'string') return fits(raw);
	if (typeof raw === 'number' || typeof raw === 'boolean') return fits(String(raw));
	const iso = isoOfObject(raw);
	return iso ? fits(iso) : wrong('must be text');
}

const matching = (pattern: RegExp, expected: string) => (raw: unknown) => {
	const text = typeof raw === 'string' ? raw.trim() : '';
	return pattern.test(text) ? fits(text) : wrong(expected);
};

/** A JSON field takes text or what an expression gives. */
const readJson = (raw: unknown): unknown => (typeof raw === 'string' ? parseJson(raw) : raw);

type Reader = (raw: unknown, field: ScalarField, zone: string) => Checked;

const readers: Record<ScalarType, Reader> = {
	text: readText,
	dateTime: (raw, _field, zone) => readDateTime(raw, zone),
	integer(raw, { min }) {
		const value = readNumber(raw);
		const ok = Number.isSafeInteger(value) && (min === undefined || (value as number) >= min);
		const from = min === undefined ? '' : `, ${min} or more`;
		return ok ? fits(value as number) : wrong(`must be a whole number${from}`);
	},
	number(raw) {
		const value = readNumber(raw);
		return Number.isFinite(value) ? fits(value as number) : wrong('must be a number');
	},
	boolean(raw) {
		if (typeof raw === 'boolean') return fits(raw);
		if (raw === 'true' || raw === 'false') return fits(raw === 'true');
		return wrong('must be true or false');
	},
	uuid: matching(
		/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
		'must be a UUID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	),
	email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address, such as name@email.com'),
	textList(raw) {
		// The form gives a list of entries, one of which may be a whole list from an expression.
		const entries = [raw].flat(2).map(readText);
		const values = entries.flatMap((entry) => ('value' in entry ? [entry.value as string] : []));
		return values.length === entries.length ? fits(values) : wrong('must be a list of texts');
	},
	object(raw) {
		const value = readJson(raw);
		return isObject(value) && isoOfObject(value) === undefined
			? fits(value)
			: wrong('must be a JSON object');
	},
	objectList(raw) {
		const value = readJson(raw);
		return Array.isArray(value) && value.every(isObject)
			? fits(value)
			: wrong('must be a JSON list of objects');
	},
	choice(raw, { choices = [] }) {
		const allowed = choices.map(({ value }) => value);
		return allowed.includes(raw as string)
			? fits(raw as string)
			: wrong(`must be one of ${allowed.join(', ')}`);
	},
	// RFC 9110 §5.5: no line breaks or other control characters in a header's value.
	header: matching(/^[\x20-\x7e]*$/, 'must be one line of plain characters'),
	file: (raw) =>
		typeof raw === 'string' || typeof raw === 'object'
			? fits(raw as string)
			: wrong('must be the name of a binary field'),
};

/** What was given, short enough for a message. */
export function shown(raw: unknown): string {
	if (isoOfObject(raw) === '') return 'an invalid date';
	if (typeof raw === 'number') return String(raw);
	const text = (JSON.stringify(raw) as string | undefined) ?? `a ${typeof raw}`;
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/**
 * @param raw what the form, the item or an expression gave; not undefined or null
 * @param zone IANA name of the workflow's time zone
 */
export const readScalar: Reader = (raw, field, zone) => readers[field.type](raw, field, zone);
