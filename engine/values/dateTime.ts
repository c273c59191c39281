// Turns dates and times from forms, items and expressions into ISO 8601 with an offset, or says in plain words what
// is wrong with them.
import { DateTime } from 'luxon';

import type { ScalarField } from '../area';
import { datesInRowsChoices, type Settings } from '../form/settings';
import { invalid, valid, type CheckedValue } from './checkedValue';
import type { FormSource } from './formInputs';
import type { HintKind } from './inputHints';
import { isoOfObject, plainText } from './rawValue';

/** How the values of an item are to be read. */
export interface Conventions extends Pick<FormSource, 'form' | 'timeZone'> {
	/** Whether the record comes from the form, whose lists have lines. */
	hasLines?: boolean;
	/** How dates are written in rows, beside ISO 8601. */
	datesInRows: Settings['datesInRows'];
}

/**
 * ISO 8601 of the years 1000 to 9999, also as databases write it, with a space. The farthest from UTC is Kiribati, at
 * +14:00.
 */
const isoDate =
	/^([1-9]\d{3}-\d{2}-\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})([.,]\d+)?)?)?(?: ?(Z|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?))?)?$/i;

/**
 * Reads ISO 8601 without asking what its time zone is. Without luxon, since a run reads two of each row.
 * @returns undefined for what is none, null for a date or time that there is not; else the time that a clock on the wall
 * shows, a fraction of its second, and the offset if there is one
 */
function readIsoDate(text: string) {
	const match = isoDate.exec(text);
	if (!match) return undefined;
	const [, date = '', hour = '00', minute = '00', second = '00', part = '', zone = ''] = match;
	const [offsetHour, offsetMinute = '00'] = match.slice(7);
	const fraction = part.replace(',', '.');
	const read = new Date(`${date}T${hour}:${minute}:${second}${fraction}Z`);
	// JavaScript takes the 30th of February for the 2nd of March. The last day cannot end with 24:00.
	const isDay = new Date(date).getUTCDate() === Number(date.slice(8));
	if (!isDay || !(read.getUTCFullYear() <= 9999)) return null;
	const offset = zone && (offsetHour ? `${offsetHour}:${offsetMinute}` : 'Z');
	return {
		wall: read.toISOString().slice(0, 19),
		// Databases tell more than milliseconds.
		fraction: /^.0+$/.test(fraction) ? '' : fraction,
		offset: offset.replace(/^.00:00$/, 'Z'),
	};
}

/** A date of a sheet: `12/1/2026`, `1.12.26`. */
const sheetDate = /^(\d{1,2})([/.-])(\d{1,2})\2((?:19|2\d)\d{2}|[0-5]\d)$/;

/** A time of a sheet: `7:00 AM`, `18:30:09.5`, `7 p.m.`. */
const sheetTime = /^(\d{1,2})(?::(\d{2})(?::(\d{2}(?:[.,]\d+)?))?)?(?:\s?([ap])\.?m\.?)?$/i;

/** A time as Excel has it: a fraction of a day, and 0 at midnight. */
const dayFraction = /^(?:0|0?[.,]\d+)$/;

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

/** A date without its time as ISO 8601, although it may not exist; undefined for what is none. */
function readDay(text: string, datesInRows: Conventions['datesInRows']): string | undefined {
	if (/^\d{4}([-/.])\d{2}\1\d{2}$/.test(text)) return text.replace(/[/.]/g, '-');
	if (datesInRows === 'excel') return readExcelNumber(text);
	const match = datesInRows === 'iso' ? null : sheetDate.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', year] = match;
	const [month, day] = datesInRows === 'monthFirst' ? [first, second] : [second, first];
	return [`20${year}`.slice(-4), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

/** Excel has 24:00 as 1, which elsewhere may be one o'clock. */
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
 * A date of a row, with or without its time, which may be from a column of its own: `12/1/2026 7:00 AM`,
 * `1.12.26, 07:00`, `46357 0.2917`, `2026-12-01 7:00 AM`.
 * @returns as ISO 8601 without an offset, although it may not exist; undefined for what is none
 */
function readRow(text: string, datesInRows: Conventions['datesInRows']): string | undefined {
	const [, day = '', time] = /^(\S+?)(?:,?\s+(\S.*))?$/.exec(text) ?? [];
	const date = readDay(day, datesInRows);
	if (date === undefined || time === undefined) return date;
	const timeOfDay = readSheetTime(time, datesInRows === 'excel');
	return timeOfDay && date.length === 10 ? `${date}T${timeOfDay}` : undefined;
}

/**
 * What is wrong with a text that is no date, or one that there is not.
 * @param text the same in ISO 8601, if the rows write dates like this
 */
function dateProblem(given: string, text: string, datesInRows: Conventions['datesInRows']) {
	const { name, description } = datesInRowsChoices.find(({ value }) => value === datesInRows)!;
	const why = datesInRows === 'iso' ? '' : `, since 'Dates in Rows' is '${name}'`;
	if (readIsoDate(text) === null)
		return invalid(`must be a date and time that exists${readIsoDate(given) === null ? '' : why}`);
	if (why) return invalid(`must be a date s${description.slice(1)}${why}`);
	const fitting = datesInRowsChoices.filter((one) => readIsoDate(readRow(given, one.value) ?? ''));
	const choices = fitting.map((one) => `'${one.name}'`).join(' or ');
	return {
		problem: 'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00',
		advice: choices ? `Set 'Dates in Rows' to ${choices} under 'Options'.` : undefined,
	};
}

/**
 * A date and time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, which n8n's date picker
 * gives, is read in the workflow's time zone. A local time that occurs twice means the first one. ISO 8601 has one
 * meaning, so that it is read whatever the rows have. A field of text keeps the offset that its date has. It takes other
 * texts too, but no bare number of days, and none at all once a person has said how the rows write dates.
 * @param field of the type `dateTime`, or a text that may be a date
 * @returns undefined for a text that is no date and may be sent as it is
 */
export function readDate(
	raw: unknown,
	{ type, inUtc }: ScalarField,
	{ timeZone, datesInRows }: Conventions,
): CheckedValue | undefined {
	const given = isoOfObject(raw) ?? plainText(raw);
	const text = readRow(given, datesInRows) ?? given;
	const read = readIsoDate(text);
	const isText = type === 'text';
	if (!read) {
		const mayBeOther = datesInRows === 'iso' ? !readExcelNumber(given) : given === '';
		if (isText && read === undefined && mayBeOther) return undefined;
		return dateProblem(given, text, datesInRows);
	}
	// Of two columns, the one with the time is empty: 00:00 would be a guess.
	if (typeof raw === 'string' && /^[^\s:]+ +$/.test(raw))
		return invalid('must have a time after its space, such as 00:00');
	// Programs write the days from which they count, such as 1970-01-01 and 1899-12-30, for a date that is missing.
	const sent = (iso: string, hint?: HintKind) =>
		valid(inUtc ? new Date(iso).toISOString() : iso, iso < '1970-01-02' ? 'oldDates' : hint);
	const { wall, fraction, offset } = read;
	if (isText) return sent(text);
	if (offset) return sent(`${wall}${fraction}${offset}`);
	const time = DateTime.fromISO(wall, { zone: timeZone });
	if (!time.isValid)
		return invalid(
			`must have an offset, such as -05:00, since there is no time zone "${timeZone}": set 'Timezone' in the workflow's settings, or GENERIC_TIMEZONE in n8n's environment, to one such as America/New_York`,
		);
	const [first = time] = time.getPossibleOffsets();
	const iso = first.toISO({ suppressMilliseconds: true });
	if (iso.startsWith(wall)) return sent(`${wall}${fraction}${iso.slice(19)}`, 'localTimes');
	return invalid(
		`must be a time that exists: clocks in ${timeZone} skip it when daylight saving begins`,
	);
}
