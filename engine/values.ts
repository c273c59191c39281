// One item's parameters → checked values. Every problem of the item is found before anything is sent.
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Field, ObjectsField, ScalarField, ScalarType } from './area';
import { labelOf } from './labels';
import type { Destination, FieldGroup } from './layout';
import { entriesKey } from './properties';

/** One thing wrong with an item: what the form calls the field, and what is wrong in plain words. */
export interface Problem {
	label: string;
	text: string;
}

export type ItemValues = Record<Destination, IDataObject>;

type Reading = { value: string | number | boolean } | { wrong: string };

const fits = (value: string | number | boolean): Reading => ({ value });
const wrong = (text: string): Reading => ({ wrong: text });

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
function readDateTime(raw: unknown, zone: string): Reading {
	const expected =
		'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00';
	const ofObject = isoOfObject(raw);
	if (ofObject !== undefined) return ofObject === '' ? wrong(expected) : fits(ofObject);
	if (typeof raw !== 'string') return wrong(expected);
	const text = raw.trim();
	if (!startsWithDate.test(text)) return wrong(expected);
	const time = parse(text, zone);
	if (!time.isValid) return wrong(expected);
	if (
		!endsWithOffset.test(text) &&
		time.toFormat(localTime) !== parse(text, 'UTC').toFormat(localTime)
	) {
		return wrong(
			`must be a time that exists: clocks in ${zone} skip it when daylight saving begins`,
		);
	}
	const [first = time] = time.getPossibleOffsets();
	return fits((first as DateTime<true>).toISO({ suppressMilliseconds: true }));
}

function readNumber(raw: unknown): number | undefined {
	if (typeof raw === 'number') return raw;
	const isPlain = typeof raw === 'string' && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(raw);
	return isPlain ? Number(raw) : undefined;
}

function readText(raw: unknown): Reading {
	if (typeof raw === 'string') return fits(raw);
	if (typeof raw === 'number' || typeof raw === 'boolean') return fits(String(raw));
	const iso = isoOfObject(raw);
	return iso ? fits(iso) : wrong('must be text');
}

const matching = (pattern: RegExp, expected: string) => (raw: unknown) => {
	const text = typeof raw === 'string' ? raw.trim() : '';
	return pattern.test(text) ? fits(text) : wrong(expected);
};

const readers: Record<ScalarType, (raw: unknown, field: ScalarField, zone: string) => Reading> = {
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
	// RFC 9110 §5.5: no line breaks or other control characters in a header's value.
	header: matching(/^[\x20-\x7e]*$/, 'must be one line of plain characters'),
	file: (raw) =>
		typeof raw === 'string' || typeof raw === 'object'
			? fits(raw as string)
			: wrong('must be the name of a binary field'),
};

const defaultsOf = (fields: readonly Field[]): IDataObject =>
	Object.fromEntries(fields.map((field) => [field.name, field.default]));

const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

/** What was given, short enough for a message. */
function shown(raw: unknown): string {
	if (isoOfObject(raw) === '') return 'an invalid date';
	if (typeof raw === 'number') return String(raw);
	const text = (JSON.stringify(raw) as string | undefined) ?? `a ${typeof raw}`;
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

const isHidden = (field: Field, values: IDataObject): boolean =>
	field.type !== 'objects' && field.hiddenBy !== undefined && values[field.hiddenBy] === true;

/** Reads one item's fields; collects problems instead of stopping at the first. */
class ItemReader {
	readonly problems: Problem[] = [];

	constructor(private readonly zone: string) {}

	private problem(label: string, text: string): undefined {
		this.problems.push({ label, text });
		return undefined;
	}

	scalar(field: ScalarField, raw: unknown, place = ''): unknown {
		const label = `${place}${labelOf(field)}`;
		if (isUnset(raw) || (raw === '' && field.required)) {
			return field.required ? this.problem(label, 'is required and not filled in') : undefined;
		}
		const reading = readers[field.type](raw, field, this.zone);
		if ('value' in reading) return reading.value;
		return this.problem(label, `is ${raw === '' ? 'empty' : shown(raw)}, but ${reading.wrong}`);
	}

	objects(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const entries = isUnset(raw) ? [] : ((raw as IDataObject)[entriesKey] ?? []);
		if (!Array.isArray(entries)) return this.problem(label, `is ${shown(raw)}, but must be a list`);
		if (entries.length === 0) {
			return field.required ? this.problem(label, 'needs at least one entry') : undefined;
		}
		return entries.map((entry: IDataObject | null, index) =>
			this.fields(field.fields, (name) => entry?.[name], `${label} ${index + 1} › `),
		);
	}

	fields(fields: readonly Field[], given: (name: string) => unknown, place?: string): IDataObject {
		const values: IDataObject = {};
		for (const field of fields) {
			if (isHidden(field, values)) continue;
			const raw = given(field.name);
			const value =
				field.type === 'objects' ? this.objects(field, raw) : this.scalar(field, raw, place);
			if (value !== undefined) values[field.name] = value as IDataObject[string];
		}
		return values;
	}

	group(
		{ goesTo, collection, fields }: FieldGroup,
		parameter: (name: string) => unknown,
	): IDataObject {
		if (!collection) return this.fields(fields, parameter);
		const given = (parameter(collection.name) ?? {}) as IDataObject;
		const before = this.problems.length;
		// n8n hands over only the options that were added; the others have the value their form starts with.
		const initial = goesTo === 'settings' ? defaultsOf(fields) : {};
		const values = this.fields(fields, (name) => given[name] ?? initial[name]);
		if (
			collection.needsOne &&
			Object.keys(values).length === 0 &&
			this.problems.length === before
		) {
			this.problem(collection.label, 'holds no value: add at least one field');
		}
		return values;
	}
}

/**
 * Reads and checks what one item gives for an operation.
 * Unset (undefined, null) optional fields are left out; 0, false and '' that were set are kept.
 * @param groups the operation's layout()
 * @param parameter gives the item's value of a form parameter, expressions resolved; nullish if hidden
 * @param zone IANA name of the workflow's time zone
 * @returns values by destination, and all problems; values are only to be used when there are none
 */
export function readItem(
	groups: readonly FieldGroup[],
	parameter: (name: string) => unknown,
	zone: string,
): { values: ItemValues; problems: Problem[] } {
	const reader = new ItemReader(zone);
	const values: ItemValues = { path: {}, query: {}, body: {}, settings: {} };
	for (const group of groups) {
		Object.assign(values[group.goesTo], reader.group(group, parameter));
	}
	return { values, problems: reader.problems };
}
