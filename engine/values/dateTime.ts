// Dates and times from forms, items and expressions → ISO 8601 with an offset, or what is wrong in plain words.
import { DateTime } from 'luxon';

/** A luxon DateTime, also one from another copy of luxon (n8n's expressions bring their own). */
const isLuxon = (raw: unknown): raw is DateTime =>
	typeof raw === 'object' && raw !== null && 'isLuxonDateTime' in raw;
const isDate = (raw: unknown): raw is Date =>
	Object.prototype.toString.call(raw) === '[object Date]';

/** A date object from an expression as ISO 8601 with offset; undefined for anything else, '' if invalid. */
export function isoOfObject(raw: unknown): string | undefined {
	if (isLuxon(raw)) return raw.toISO() ?? '';
	if (isDate(raw)) return Number.isNaN(raw.getTime()) ? '' : raw.toISOString();
	return undefined;
}

const localTime = "yyyy-MM-dd'T'HH:mm:ss";
const startsWithDate = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
/** The name of a zone may follow, as in `2026-03-01T07:00:00-05:00[America/New_York]` (RFC 9557 §4.1). */
const endsWithOffset = /[T ].*(Z|[+-]\d{2}(:?\d{2})?)(\[.*\])?$/i;
/** Digits of a second beyond milliseconds, which luxon does not keep. */
const fineFraction = /[.,](\d{3}\d*[1-9])0*(?!\d)/;
const parse = (text: string, zone: string) => {
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
};

const expected =
	'must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00';

const inDigits = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2}))?)?)?/;

/** Which part of a date and time there is not, such as a 13th month. */
function missingPart(text: string): string | undefined {
	const [, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] =
		inDigits.exec(text)?.map(Number) ?? [];
	if (month < 1 || month > 12) return `month ${month}`;
	const days = DateTime.utc(year, month).daysInMonth!;
	if (day < 1 || day > days) return `day ${day} in month ${month} of ${year}`;
	if (hour > 23) return `hour ${hour}`;
	if (minute > 59) return `minute ${minute}`;
	return second > 59 ? `second ${second}` : undefined;
}

const ofSpreadsheet =
	/^(\d{1,2})([/.-])\d{1,2}\2(\d{4}|\d{2})(?:(,? +)\d{1,2}:\d{2}(:\d{2})?( ?)([ap]m)?)?$/i;

/** The format of a date as spreadsheets show it, in luxon's words; of the US: the month comes first if it can. */
function formatOf(text: string): string | undefined {
	const found = ofSpreadsheet.exec(text);
	if (!found) return undefined;
	const [, first, separator, year, gap, seconds = '', space, half] = found;
	const isDayFirst = separator === '.' || Number(first) > 12;
	const date = [...(isDayFirst ? ['d', 'M'] : ['M', 'd']), 'y'.repeat(year!.length)].join(
		separator,
	);
	const time = `${half ? 'h' : 'H'}:mm${seconds && ':ss'}${half ? `${space}a` : ''}`;
	const format = gap === undefined ? date : `${date}${gap}${time}`;
	return DateTime.fromFormat(text, format).isValid ? format : undefined;
}

/** @param name of the field, for an example */
function wrongText(text: string, name: string): string {
	const missing = missingPart(text);
	if (missing) return `there is no ${missing}`;
	const format = formatOf(text);
	if (!format) return expected;
	const order = format.startsWith('M') ? ', month first' : '';
	return `must be a date and time, such as 2026-03-01T07:00:00. An expression reads this one${order}: {{ DateTime.fromFormat($json.${name}, "${format}") }}, with the name of your item's field`;
}

/**
 * A date-time as ISO 8601 with its offset (RFC 3339 §5.6). Text without an offset, as n8n's date picker
 * gives it, is read in the workflow's time zone; of a local time that occurs twice, the first one counts.
 * @param zone IANA name of the workflow's time zone
 * @param name of the field
 */
export function readDateTime(
	raw: unknown,
	zone: string,
	name: string,
): { value: string } | { wrong: string } {
	const ofObject = isoOfObject(raw);
	if (ofObject) return { value: ofObject };
	if (typeof raw !== 'string') return { wrong: expected };
	const text = raw.trim();
	const time = parse(text, zone);
	if (!startsWithDate.test(text) || !time.isValid) return { wrong: wrongText(text, name) };
	const fraction = fineFraction.exec(text)?.[1];
	const isoOf = (moment: DateTime) => {
		const iso = (moment as DateTime<true>).toISO({ suppressMilliseconds: true });
		return fraction ? iso.replace(/(T[\d:]+)(\.\d+)?/, `$1.${fraction}`) : iso;
	};
	if (endsWithOffset.test(text)) return { value: isoOf(time) };
	if (time.toFormat(localTime) !== parse(text, 'UTC').toFormat(localTime)) {
		const skipped = `clocks in ${zone} skip it when daylight saving begins`;
		return { wrong: `must be a time that exists: ${skipped}` };
	}
	const [first = time] = time.getPossibleOffsets();
	return { value: isoOf(first) };
}
