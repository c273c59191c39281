// Turns dates and times from forms, items and expressions into ISO 8601 with an offset, or explains in plain words why
// they are invalid.
import { DateTime } from 'luxon';

import type { ScalarField } from '../area';
import { datesInRowsChoices, type Settings } from '../form/settings';
import { invalid, valid, type CheckedValue } from './checkedValue';
import type { FormSource } from './formInputs';
import type { HintKind } from './inputHints';
import { isoOfObject, plainText } from './rawValue';

/** How to read the values of an item. */
export interface Conventions extends Pick<FormSource, 'form' | 'timeZone'> {
	/** The date format of rows, in addition to ISO 8601. */
	datesInRows: Settings['datesInRows'];
}

/**
 * ISO 8601 in the years 1000 to 9999; databases write it with a space instead of the T. An offset of 15 hours or more is
 * a mistake, since the largest is Kiribati's, +14:00.
 */
const isoDate =
	/^([1-9]\d{3}-\d{2}-\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})([.,]\d+)?)?)?(?: ?(Z|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?))?)?$/i;

/**
 * Splits ISO 8601 into local time and offset. It does not use luxon, which is slower: a run reads two dates per row.
 * @returns undefined if the text is not ISO 8601, null if the date or time does not exist; otherwise the local time to
 * the second, the fraction of a second, and the offset (each '' if missing)
 */
function readIsoDate(text: string) {
	const match = isoDate.exec(text);
	if (!match) return undefined;
	const [, date = '', hour = '00', minute = '00', second = '00', part = '', zone = ''] = match;
	const [offsetHour, offsetMinute = '00'] = match.slice(7);
	const fraction = part.replace(',', '.');
	const read = new Date(`${date}T${hour}:${minute}:${second}${fraction}Z`);
	// JavaScript turns February 30 into March 2. The last day of 9999 cannot end at 24:00, which would be in 10000.
	const isDay = new Date(date).getUTCDate() === Number(date.slice(8));
	if (!isDay || !(read.getUTCFullYear() <= 9999)) return null;
	const offset = zone && (offsetHour ? `${offsetHour}:${offsetMinute}` : 'Z');
	return {
		wall: read.toISOString().slice(0, 19),
		// The fraction is kept as text: databases give more digits than milliseconds.
		fraction: /^.0+$/.test(fraction) ? '' : fraction,
		offset: offset.replace(/^.00:00$/, 'Z'),
	};
}

/** A date as written in sheets: `12/1/2026`, `1.12.26`. */
const sheetDate = /^(\d{1,2})([/.-])(\d{1,2})\2((?:19|2\d)\d{2}|[0-5]\d)$/;

/** A time as written in sheets: `7:00 AM`, `18:30:09.5`, `7 p.m.`. */
const sheetTime = /^(\d{1,2})(?::(\d{2})(?::(\d{2}(?:[.,]\d+)?))?)?(?:\s?([ap])\.?m\.?)?$/i;

/** A time as Excel stores it: a fraction of a day, 0 for midnight. */
const dayFraction = /^(?:0|0?[.,]\d+)$/;

/** The day from which Excel counts. */
const dayZero = Date.UTC(1899, 11, 30);

/**
 * Reads Excel's number of days, for 1954 to 9999, to the second. A comma can only be the decimal separator. A smaller
 * number is more likely a year or a time of day.
 */
function readExcelNumber(text: string): string | undefined {
	const days = /^\d{5,7}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0;
	if (days < 20_000 || days >= 2_958_466) return undefined;
	const iso = new Date(dayZero + Math.round(days * 86_400) * 1000).toISOString();
	return iso.slice(0, Number.isInteger(days) ? 10 : 19);
}

/**
 * Reads a date without its time. @returns ISO 8601, possibly of a date that does not exist; undefined for other texts
 */
function readDay(text: string, datesInRows: Conventions['datesInRows']): string | undefined {
	if (/^\d{4}([-/.])\d{2}\1\d{2}$/.test(text)) return text.replace(/[/.]/g, '-');
	if (datesInRows === 'excel') return readExcelNumber(text);
	const match = datesInRows === 'iso' ? null : sheetDate.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', year] = match;
	const [month, day] = datesInRows === 'monthFirst' ? [first, second] : [second, first];
	return [`20${year}`.slice(-4), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

/** @param isExcel whether 1 means 24:00, as in Excel; elsewhere it may be one o'clock */
function readSheetTime(text: string, isExcel: boolean): string | undefined {
	if (isExcel && text === '1') return '24:00:00';
	if (dayFraction.test(text)) {
		const seconds = Math.round(Number(text.replace(',', '.')) * 86_400);
		return new Date(Math.min(seconds, 86_399) * 1000).toISOString().slice(11, 19);
	}
	const match = sheetTime.exec(text);
	if (!match) return undefined;
	const [, hour, minute, second = '00', half] = match;
	const isHourOfHalf = Number(hour) >= 1 && Number(hour) <= 12;
	if (half ? !isHourOfHalf : minute === undefined) return undefined;
	const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
	return `${String(hours).padStart(2, '0')}:${minute ?? '00'}:${second}`;
}

/**
 * Reads a row's date, with or without a time, which may come from a separate column: `12/1/2026 7:00 AM`, `1.12.26,
 * 07:00`, `46357 0.2917`, `2026-12-01 7:00 AM`.
 * @returns ISO 8601 without an offset, possibly of a date that does not exist; undefined for other texts
 */
function readRow(text: string, datesInRows: Conventions['datesInRows']): string | undefined {
	const [, day = '', time] = /^(\S+?)(?:,?\s+(\S.*))?$/.exec(text) ?? [];
	const date = readDay(day, datesInRows);
	if (date === undefined || time === undefined) return date;
	const timeOfDay = readSheetTime(time, datesInRows === 'excel');
	return timeOfDay && date.length === 10 ? `${date}T${timeOfDay}` : undefined;
}

/**
 * The problem of a text that is not a date, or is a date that does not exist.
 * @param text the given text, turned into ISO 8601 if it is a date in the rows' format
 */
function dateProblem(given: string, text: string, datesInRows: Conventions['datesInRows']) {
	const { name, description } = datesInRowsChoices.find(({ value }) => value === datesInRows)!;
	const why = datesInRows === 'iso' ? '' : `, since 'Dates in Rows' is '${name}'`;
	if (readIsoDate(text) === null)
		return invalid(`must be a date and time that exists${readIsoDate(given) === null ? '' : why}`);
	if (why) return invalid(`must be a date s${description.slice(1)}${why}`);
	const fitting = datesInRowsChoices.filter((one) => readIsoDate(readRow(given, one.value) ?? ''));
	const choices = fitting.map((one) => `'${one.name}' (${one.value})`).join(' or ');
	return {
		problem: 'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00',
		advice: choices ? `Set 'Options › Dates in Rows' to ${choices}.` : undefined,
	};
}

/**
 * Reads a date and time as ISO 8601 with an offset (RFC 3339 §5.6). A text without an offset, such as n8n's date picker
 * gives, is read in the workflow's time zone; a local time that occurs twice means the first one. ISO 8601 is
 * unambiguous, so it is accepted whatever the rows' format. A text field keeps its date's offset, or none. It also
 * accepts texts that are not dates, except a bare number of days; but only dates once 'Dates in Rows' is set.
 * @param field of type `dateTime`, or a text that may be a date
 * @returns undefined for a text that is not a date and may be sent as is
 */
export function readDate(
	raw: unknown,
	{ type, inUtc }: ScalarField,
	{ timeZone, datesInRows }: Conventions,
): CheckedValue | undefined {
	const given = isoOfObject(raw) ?? plainText(raw);
	const text = readRow(given, datesInRows) ?? given;
	const read = readIsoDate(text);
	const other = datesInRows === 'dayFirst' ? 'monthFirst' : 'dayFirst';
	const inOther = readIsoDate(readRow(given, other) ?? '');
	const isText = type === 'text';
	if (!read) {
		const mayBeOther = datesInRows === 'iso' ? !readExcelNumber(given) : given === '';
		if (isText && read === undefined && mayBeOther) return undefined;
		const problem = dateProblem(given, text, datesInRows);
		return inOther ? { ...problem, hints: ['otherOrder'] } : problem;
	}
	// The text comes from two columns, and the one with the time is empty: 00:00 would be a guess.
	if (typeof raw === 'string' && /^[^\s:]+ +$/.test(raw))
		return invalid('must have a time after its space, such as 00:00');
	// For a missing date, programs write the day from which they count, such as 1970-01-01 or 1899-12-30.
	const sent = (iso: string, hint?: HintKind) => {
		const isUnlikely = iso < '1970-01-02' || iso > '2101';
		const order = inOther && inOther.wall !== read.wall ? 'eitherOrder' : undefined;
		const value = inUtc ? new Date(iso).toISOString() : iso;
		return valid(value, isUnlikely ? 'unlikelyDates' : hint, order);
	};
	const { wall, fraction, offset } = read;
	if (isText) return sent(text);
	if (offset) {
		const iso = `${wall}${fraction}${offset}`;
		const isMoved = offset === 'Z' && !inUtc && DateTime.fromISO(iso, { zone: timeZone }).offset;
		return sent(iso, isMoved ? 'utcTimes' : undefined);
	}
	const time = DateTime.fromISO(wall, { zone: timeZone });
	if (!time.isValid)
		return invalid(
			`must have an offset, such as -05:00, since there is no time zone "${timeZone}": set 'Timezone' in the workflow's settings, or GENERIC_TIMEZONE in n8n's environment, to one such as America/New_York`,
		);
	const [first = time] = time.getPossibleOffsets();
	const iso = first.toISO({ suppressMilliseconds: true });
	if (iso.startsWith(wall)) return sent(`${wall}${fraction}${iso.slice(19)}`, 'localTimes');
	return invalid(`must be a time that exists: daylight saving in ${timeZone} skips it`);
}
