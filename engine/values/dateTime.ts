// Turns dates and times from forms, items and expressions into ISO 8601 with an offset, or says in plain words what
// is wrong with them.
import { DateTime } from 'luxon';

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
/** With an offset and a zone, as in `2026-11-01T01:30:00-05:00[America/New_York]` (RFC 9557 §4.1), the offset counts. */
const endsWithOffsetAndZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)\[[^[\]]*\]$/i;
/** Digits of a second beyond milliseconds, which luxon does not keep. */
const beyondMilliseconds = /[.,](\d{3}\d*[1-9])0*(?!\d)/;
const parse = (text: string, timeZone: string) => {
	const iso = DateTime.fromISO(text, { zone: timeZone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone: timeZone, setZone: true });
};

const expected =
	'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00';

const dateParts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2}))?)?)?/;

const offsetParts = /^[\d-]+[T ][\d:., ]*([+-](\d{2}):?(\d{2})?)(?:\[[^[\]]*\])?$/;

/** The part of a date and time that does not exist, such as a 13th month. */
export function nonexistentPart(text: string): string | undefined {
	if (!startsWithDate.test(text)) return undefined;
	const [, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] =
		dateParts.exec(text)?.map(Number) ?? [];
	if (month < 1 || month > 12) return `month ${month}`;
	const daysInMonth = DateTime.utc(year, month).daysInMonth!;
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

const spreadsheetDate =
	/^(\d{1,2})([/.-])\d{1,2}\2(\d{4}|\d{2})(?:(,? +)\d{1,2}:\d{2}(:\d{2})?( ?)([ap]m)?)?$/i;

/**
 * The format of a date as spreadsheets show it, in luxon's notation. Where both orders are possible, the month is
 * taken to come first, as in the US, unless the separator is a point.
 */
function spreadsheetFormatOf(text: string): string | undefined {
	const match = spreadsheetDate.exec(text);
	if (!match) return undefined;
	const [, firstNumber, separator, year, gap, seconds = '', space, halfOfDay] = match;
	const isDayFirst = separator === '.' || Number(firstNumber) > 12;
	const date = [...(isDayFirst ? ['d', 'M'] : ['M', 'd']), 'y'.repeat(year!.length)].join(
		separator,
	);
	const time = `${halfOfDay ? 'h' : 'H'}:mm${seconds && ':ss'}${halfOfDay ? `${space}a` : ''}`;
	const format = gap === undefined ? date : `${date}${gap}${time}`;
	return DateTime.fromFormat(text, format).isValid ? format : undefined;
}

/** @param name of the field */
function problemWithText(text: string, name: string): string {
	const format = spreadsheetFormatOf(text);
	if (!format) return expected;
	const order = format.startsWith('M') ? ', month first' : '';
	return `must be a date and time, such as 2026-03-01T07:00:00. An expression reads this one${order}: {{ DateTime.fromFormat($json.${name}, "${format}") }}, with the name of your column`;
}

/**
 * A date and time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, which n8n's date picker
 * gives, is read in the workflow's time zone. A local time that occurs twice means the first one.
 * @param timeZone IANA name of the workflow's time zone
 * @param name of the field
 */
export function readDateTime(
	raw: unknown,
	timeZone: string,
	name: string,
): { value: string } | { problem: string } {
	const isoFromObject = isoOfObject(raw);
	if (!isoFromObject && typeof raw !== 'string') return { problem: expected };
	const text = isoFromObject || String(raw).trim();
	const nonexistent = nonexistentPart(text);
	if (nonexistent) return { problem: `there is no ${nonexistent}` };
	if (isoFromObject) return { value: isoFromObject };
	const time = parse(text, timeZone);
	if (!startsWithDate.test(text) || !time.isValid) {
		return { problem: problemWithText(text, name) };
	}
	const fraction = beyondMilliseconds.exec(text)?.[1];
	const isoOf = (moment: DateTime) => {
		const iso = (moment as DateTime<true>).toISO({ suppressMilliseconds: true });
		return fraction ? iso.replace(/(T[\d:]+)(\.\d+)?/, `$1.${fraction}`) : iso;
	};
	if (endsWithOffsetAndZone.test(text)) return { value: isoOf(time) };
	if (time.toFormat(localTime) !== parse(text, 'UTC').toFormat(localTime)) {
		const skipped = `clocks in ${timeZone} skip it when daylight saving begins`;
		return { problem: `must be a time that exists: ${skipped}` };
	}
	const [first = time] = time.getPossibleOffsets();
	return { value: isoOf(first) };
}
