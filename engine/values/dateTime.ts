// Turns dates and times from forms, items and expressions into ISO 8601 with an offset, or says in plain words what
// is wrong with them.
import { DateTime } from 'luxon';

import { datesInRowsChoices, type Settings } from '../form/settings';

/** A luxon DateTime, also one from another copy of luxon, since n8n's expressions bring their own. */
const isLuxon = (raw: unknown): raw is DateTime =>
	typeof raw === 'object' && raw !== null && 'isLuxonDateTime' in raw;
const isDate = (raw: unknown): raw is Date =>
	Object.prototype.toString.call(raw) === '[object Date]';

/**
 * A date object from an expression as ISO 8601 with its offset.
 * @returns '' for an invalid date, undefined for anything that is no date object
 */
export function isoOfObject(raw: unknown): string | undefined {
	if (isLuxon(raw)) return raw.toISO() ?? '';
	if (isDate(raw)) return Number.isNaN(raw.getTime()) ? '' : raw.toISOString();
	return undefined;
}

const localTime = "yyyy-MM-dd'T'HH:mm:ss";
const startsWithDate = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
/** What luxon would give back unchanged, as a property test holds: luxon takes most of the time that a row needs. */
const isCanonical =
	/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:Z|[+-](?!00:00)\d{2}:\d{2})$/;
/** With an offset and a zone, as in `2026-11-01T01:30:00-05:00[America/New_York]` (RFC 9557 §4.1), the offset counts. */
const endsWithOffsetAndZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)\[[^[\]]*\]$/i;
/** The name of a zone at the end, in brackets or as databases write it. */
const zoneName = /\[[^[\]]*\]$| ?[a-z]{2}[\w/+-]{0,60}$/i;
/** Digits of a second beyond milliseconds, which luxon does not keep. */
const beyondMilliseconds = /[.,](\d{3}\d*[1-9])0*(?!\d)/;
const parse = (text: string, timeZone: string) => {
	const iso = DateTime.fromISO(text, { zone: timeZone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone: timeZone, setZone: true });
};

const dateParts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2}))?)?)?/;

const offsetParts = /^[\d-]+[T ][\d:., ]*([+-](\d{2}):?(\d{2})?)(?:\[[^[\]]*\])?$/;

/** The part of a date and time that does not exist, such as a 13th month. */
export function nonexistentPart(text: string): string | undefined {
	if (!startsWithDate.test(text)) return undefined;
	const [, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] =
		dateParts.exec(text)?.map(Number) ?? [];
	if (month < 1 || month > 12) return `month ${month}`;
	const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
	if (day < 1 || day > daysInMonth) return `day ${day} in month ${month} of ${year}`;
	// The day may end with 24:00 (ISO 8601).
	if (hour > 24 || (hour === 24 && minute + second > 0)) return `hour ${hour}`;
	if (minute > 59) return `minute ${minute}`;
	if (second > 59) return `second ${second}`;
	const [, offset, hours, minutes = 0] = offsetParts.exec(text) ?? [];
	// The farthest from UTC is Kiribati, which is also the limit of XML Schema.
	const isOffset = Number(minutes) < 60 && Number(hours) * 60 + Number(minutes) <= 14 * 60;
	return offset === undefined || isOffset ? undefined : `offset ${offset} from UTC`;
}

/** A date of a sheet, with or without its time: `12/1/2026 7:00 AM`, `1.12.26, 07:00`. */
const sheetDate =
	/^(\d{1,2})([/.-])(\d{1,2})\2((?:19|2\d)\d{2}|[0-5]\d)(?:,?\s+(\d{1,2})(?::(\d{2})(?::(\d{2}(?:[.,]\d+)?))?)?(?:\s?([ap])\.?m\.?)?)?$/i;

/** @returns as ISO 8601 without an offset, although such a date may not exist; undefined for what is none */
function readSheetDate(raw: unknown, order: 'monthFirst' | 'dayFirst'): string | undefined {
	const match = typeof raw === 'string' && sheetDate.exec(raw.trim());
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

const millisecondsOfDay = 86_400_000;

/** The day that Excel's numbers count from; it is off by one before March 1900, but smaller numbers are not taken. */
const dayZero = Date.UTC(1899, 11, 30);

/**
 * A number of four digits or more before the point, or before a comma that can only be a decimal one, up to the end of
 * the year 9999. A smaller one is rather a time of day, or written with thousands.
 */
function readExcelNumber(raw: unknown): string | undefined {
	const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
	const days = /^\d{4,7}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0;
	if (days < 1000 || days >= 2_958_466) return undefined;
	const iso = new Date(dayZero + Math.round(days * millisecondsOfDay)).toISOString();
	return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, -1);
}

/** How dates are written in rows, beside ISO 8601; the value of the setting 'Dates in Rows'. */
type DatesInRows = Settings['datesInRows'];

/** By the value of 'Dates in Rows': what reads such a date, and an example of one. */
const sheetFormats: Record<
	Exclude<DatesInRows, 'iso'>,
	{ read: (raw: unknown) => string | undefined; example: string }
> = {
	monthFirst: { read: (raw) => readSheetDate(raw, 'monthFirst'), example: '12/31/2026 7:00 AM' },
	dayFirst: { read: (raw) => readSheetDate(raw, 'dayFirst'), example: '31.12.2026 07:00' },
	excel: { read: readExcelNumber, example: '46357.29' },
};

const settingName = (datesInRows: string): string =>
	datesInRowsChoices.find(({ value }) => value === datesInRows)!.name;

const whyRead = (datesInRows: DatesInRows): string =>
	`, since 'Dates in Rows' is '${settingName(datesInRows)}'`;

/** Excel's numbers of the years 1954 to 2119: of others it is not likely that they are meant as dates. */
const isLikelyDate = (raw: unknown): boolean => !(Number(raw) < 20_000 || Number(raw) > 80_000);

/** The names of the values of 'Dates in Rows' with which it would be a date. */
const settingsFor = (raw: unknown): string[] =>
	Object.entries(sheetFormats).flatMap(([value, { read }]) => {
		const text = isLikelyDate(raw) ? read(raw) : undefined;
		return text === undefined || nonexistentPart(text) ? [] : [settingName(value)];
	});

/** The problem with what is no date, and the values of 'Dates in Rows' with which it would be one. */
function problemWith(raw: unknown, datesInRows: DatesInRows): DateProblem {
	if (datesInRows !== 'iso') {
		const { example } = sheetFormats[datesInRows];
		return { problem: `must be a date such as ${example}${whyRead(datesInRows)}` };
	}
	return {
		problem: 'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00',
		datesInRows: settingsFor(raw),
	};
}

/** How dates and times without an offset are to be read. */
export interface DateConventions {
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** Without it, ISO 8601. */
	datesInRows?: DatesInRows;
}

interface DateProblem {
	problem: string;
	datesInRows?: readonly string[];
}

/**
 * A date and time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, which n8n's date picker
 * gives, is read in the workflow's time zone. A local time that occurs twice means the first one. ISO 8601 has one
 * meaning, so that it is read whatever the rows have.
 */
export function readDateTime(
	raw: unknown,
	{ timeZone, datesInRows = 'iso' }: DateConventions,
): { value: string; isWithoutTime?: boolean } | DateProblem {
	const isoFromObject = isoOfObject(raw);
	const ofSheet = datesInRows === 'iso' ? undefined : sheetFormats[datesInRows].read(raw);
	const text = isoFromObject ?? ofSheet ?? (typeof raw === 'string' ? raw.trim() : '');
	const nonexistent = nonexistentPart(text);
	if (nonexistent) {
		const why = ofSheet && settingsFor(raw).length > 0 ? whyRead(datesInRows) : '';
		return { problem: `there is no ${nonexistent}${why}` };
	}
	if (isoFromObject || isCanonical.test(text)) return { value: text };
	const time = parse(text, timeZone);
	if (!startsWithDate.test(text) || !time.isValid) return problemWith(raw, datesInRows);
	const fraction = beyondMilliseconds.exec(text)?.[1];
	const isoOf = (moment: DateTime) => {
		const iso = (moment as DateTime<true>).toISO({ suppressMilliseconds: true });
		return fraction ? iso.replace(/(T[\d:]+)(\.\d+)?/, `$1.${fraction}`) : iso;
	};
	if (endsWithOffsetAndZone.test(text)) return { value: isoOf(time) };
	if (time.toFormat(localTime) !== parse(text.replace(zoneName, ''), 'UTC').toFormat(localTime)) {
		const skipped = `clocks in ${time.zoneName} skip it when daylight saving begins`;
		return { problem: `must be a time that exists: ${skipped}` };
	}
	const [first = time] = time.getPossibleOffsets();
	return { value: isoOf(first), ...(text.length === 10 && { isWithoutTime: true }) };
}
