// Turns dates and times from forms, items and expressions into ISO 8601 with an offset, or says in plain words what
// is wrong with them.
import { DateTime, IANAZone } from 'luxon';

import { datesInRowsChoices, type Settings } from '../form/settings';
import { isObject } from '../http/json';

/** A Date, or a luxon DateTime, also one from another copy of luxon, since n8n's expressions bring their own. */
const isDateObject = (raw: unknown): raw is { toJSON: () => string | null } =>
	(isObject(raw) && 'isLuxonDateTime' in raw) ||
	Object.prototype.toString.call(raw) === '[object Date]';

/**
 * A date object from an expression as ISO 8601 with its offset.
 * @returns '' for one that is invalid or not of the years 1000 to 9999, undefined for anything that is no date object
 */
export function isoOfObject(raw: unknown): string | undefined {
	if (!isDateObject(raw)) return undefined;
	const iso = raw.toJSON() ?? '';
	return /^[1-9]\d{3}-/.test(iso) ? iso : '';
}

/** A text or a number as text, without spaces around it; '' for anything else. */
export const plainText = (raw: unknown): string =>
	typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';

/**
 * ISO 8601 of the years 1000 to 9999, also as databases write it: with a space, and with the name of a time zone. With
 * an offset and a zone, as in `2026-11-01T01:30:00-05:00[America/New_York]` (RFC 9557 §4.1), the offset counts.
 */
const isoDate =
	/^([1-9]\d{3})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)? ?(?:(Z)(?![a-z])|([+-]\d{2})(?::?(\d{2}))?)?(?: ?\[?([a-z][\w/+-]*)\]?)?)?$/i;

/**
 * Reads ISO 8601 without asking what its time zone is.
 * @returns undefined for what is none; `nonexistent` is the part of it that there is not, such as a 13th month; else the
 * time that a clock on the wall shows, a fraction of its second, and the offset or the zone if there is one
 */
export function readIsoDate(text: string) {
	const parts = isoDate.exec(text);
	if (!parts) return undefined;
	const units = parts.slice(1, 7).map((part) => Number(part ?? 0));
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = units;
	const [digits = '', utc, hours, minutes = '00', zone] = parts.slice(7);
	if (month < 1 || month > 12) return { nonexistent: `month ${month}` };
	const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
	const isDay = day >= 1 && day <= daysInMonth;
	if (!isDay) return { nonexistent: `day ${day} in month ${month} of ${year}` };
	// The day may end with 24:00 (ISO 8601), but the last one would end in the year 10000.
	const mayEnd = minute + second + Number(digits) === 0 && !text.startsWith('9999-12-31');
	if (hour > 24 || (hour === 24 && !mayEnd)) return { nonexistent: `hour ${hour}` };
	if (minute > 59) return { nonexistent: `minute ${minute}` };
	if (second > 59) return { nonexistent: `second ${second}` };
	const offset = hours && `${hours}:${minutes}`;
	const minutesFromUtc = Math.abs(Number(hours)) * 60 + Number(minutes);
	// The farthest from UTC is Kiribati, which is also the limit of XML Schema.
	const isTooFar = Number(minutes) > 59 || minutesFromUtc > 14 * 60;
	if (isTooFar) return { nonexistent: `offset ${offset} from UTC` };
	const fraction = digits.replace(/(?<!0)0+$/, '');
	return {
		wall: new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString().slice(0, 19),
		fraction: fraction && `.${fraction.padEnd(3, '0')}`,
		offset: utc || minutesFromUtc === 0 ? 'Z' : offset,
		zone,
	};
}

/** A date of a sheet, with or without its time: `12/1/2026 7:00 AM`, `1.12.26, 07:00`. */
const sheetDate =
	/^(\d{1,2})([/.-])(\d{1,2})\2((?:19|2\d)\d{2}|[0-5]\d)(?:,?\s+(\d{1,2})(?::(\d{2})(?::(\d{2}(?:[.,]\d+)?))?)?(?:\s?([ap])\.?m\.?)?)?$/i;

/** @returns as ISO 8601 without an offset, although such a date may not exist; undefined for what is none */
function readSheetDate(text: string, order: 'monthFirst' | 'dayFirst'): string | undefined {
	const match = sheetDate.exec(text);
	if (!match) return undefined;
	const [, first, , second, year, hour, minute, seconds = '00', half] = match;
	const [month, day] = order === 'monthFirst' ? [first, second] : [second, first];
	const date = [`20${year}`.slice(-4), month!.padStart(2, '0'), day!.padStart(2, '0')].join('-');
	if (hour === undefined) return date;
	const isHourOfHalf = Number(hour) >= 1 && Number(hour) <= 12;
	if (half ? !isHourOfHalf : minute === undefined) return undefined;
	const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
	return `${date}T${String(hours).padStart(2, '0')}:${minute ?? '00'}:${seconds}`;
}

/** The day that Excel's numbers count from. */
const dayZero = Date.UTC(1899, 11, 30);

/**
 * A number of days from 1954 to 9999, to the second. Its comma can only be a decimal one; a smaller number is rather a
 * year or a time of day.
 */
function readExcelNumber(text: string): string | undefined {
	const days = /^\d{5,7}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0;
	if (days < 20_000 || days >= 2_958_466) return undefined;
	const iso = new Date(dayZero + Math.round(days * 86_400) * 1000).toISOString();
	return iso.slice(0, Number.isInteger(days) ? 10 : 19);
}

/** How dates are written in rows, beside ISO 8601; the value of the setting 'Dates in Rows'. */
type DatesInRows = Settings['datesInRows'];

/** By the value of 'Dates in Rows', what reads such a date. */
const sheetReaders: Record<DatesInRows, (text: string) => string | undefined> = {
	iso: () => undefined,
	monthFirst: (text) => readSheetDate(text, 'monthFirst'),
	dayFirst: (text) => readSheetDate(text, 'dayFirst'),
	excel: readExcelNumber,
};

/** The choices of 'Dates in Rows' with which a text would be a date; undefined when there are none. */
function choicesFor(text: string): string | undefined {
	const readers = datesInRowsChoices.filter(({ value }) => {
		const iso = sheetReaders[value](text);
		return iso !== undefined && readIsoDate(iso)?.nonexistent === undefined;
	});
	return readers.map(({ name }) => `'${name}'`).join(' or ') || undefined;
}

/** How dates and times without an offset are to be read. */
export interface DateConventions {
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** Without it, ISO 8601. */
	datesInRows?: DatesInRows;
}

/** What a person has to be told of a date that has no offset: which time it means, or only which time zone. */
export type DateHint = 'datesWithoutTime' | 'datesInWorkflowZone';

/** A name that can mean only one time zone, as abbreviations do not. */
const isZone = (name: string): boolean =>
	/^(?:UTC|GMT)$|\//i.test(name) && IANAZone.isValidZone(name);

/**
 * A date and time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, which n8n's date picker
 * gives, is read in the workflow's time zone. A local time that occurs twice means the first one. ISO 8601 has one
 * meaning, so that it is read whatever the rows have.
 */
export function readDateTime(
	raw: unknown,
	{ timeZone, datesInRows = 'iso' }: DateConventions,
): { value: string; hint?: DateHint } | { problem: string; advice?: string } {
	const given = isoOfObject(raw) ?? plainText(raw);
	const ofSheet = sheetReaders[datesInRows](given);
	const read = readIsoDate(ofSheet ?? given);
	const { name, description } = datesInRowsChoices.find(({ value }) => value === datesInRows)!;
	const whyRead = `, since 'Dates in Rows' is '${name}'`;
	if (!read && datesInRows !== 'iso')
		return { problem: `must be a date s${description!.slice(1)}${whyRead}` };
	if (!read) {
		const problem =
			'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00';
		const choices = choicesFor(given);
		return { problem, advice: choices && `Set 'Dates in Rows' to ${choices} under 'Options'.` };
	}
	if (read.nonexistent !== undefined) {
		const why = ofSheet && choicesFor(given) ? whyRead : '';
		return { problem: `there is no ${read.nonexistent}${why}` };
	}
	const { wall, fraction, offset, zone } = read;
	if (offset) return { value: `${wall}${fraction}${offset}` };
	if (zone && !isZone(zone)) {
		const problem = `must have an offset, such as -05:00, or a time zone such as America/New_York: ${zone} is neither`;
		return { problem };
	}
	const time = DateTime.fromISO(wall, { zone: zone ?? timeZone });
	const isoOf = (moment: DateTime) => moment.toISO({ suppressMilliseconds: true })!;
	if (!isoOf(time).startsWith(wall)) {
		const skipped = `clocks in ${time.zoneName} skip it when daylight saving begins`;
		return { problem: `must be a time that exists: ${skipped}` };
	}
	const [first = time] = time.getPossibleOffsets();
	const ofWorkflow = (ofSheet ?? given).length === 10 ? 'datesWithoutTime' : 'datesInWorkflowZone';
	const value = `${wall}${fraction}${isoOf(first).slice(19)}`;
	return { value, hint: zone === undefined ? ofWorkflow : undefined };
}
