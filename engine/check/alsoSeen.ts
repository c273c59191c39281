// What the readings made for the questions show besides; no setting of the credential follows from it.
import { formatDuration } from '../http/format';
import type { Finding } from './findings';
import type { CheckSession, ListReading } from './session';

/** Milliseconds; a clock that differs by less is right, since responses take their time. */
const clockTolerance = 60_000;

/** It is never sure: a response from a cache has the date of when it was stored. */
function clockSeen({ headers, receivedAt }: ListReading): string[] {
	const lag = receivedAt - Date.parse(String(headers.date));
	const difference = Math.abs(lag);
	if (Number.isNaN(lag) || difference < clockTolerance) return [];
	const relation = lag > 0 ? 'behind' : 'ahead of';
	const overlap = Math.ceil(difference / 60_000) + 10;
	return [
		`The service's clock is ${formatDuration(difference)} ${relation} n8n's: correct the clock that is wrong. In the trigger, set 'Overlap (Minutes)' to at least ${overlap} if 'Detect By' is 'Changes Since'.`,
	];
}

/** @param keysOf what the rows of a reading are told apart by */
function orderSeen(
	readings: readonly ListReading[],
	keysOf: (reading: ListReading) => unknown[],
): string[] {
	const queries = new Set(readings.map(({ query }) => JSON.stringify(query)));
	const contents = new Set(readings.map((one) => JSON.stringify([one.query, keysOf(one)])));
	if (contents.size === queries.size) return [];
	return [
		'Rows changed or came in a different order when read again. If that happens every time, a list of several pages may miss rows: use filters, so that the rows fit on one page.',
	];
}

/** @param pages of the same rows */
function countSeen(pages: readonly ListReading[]): string[] {
	const areOfSizes = new Set(pages.map(({ rows }) => rows.length)).size > 1;
	const countPage = pages.every(({ rows, totalRows }) => totalRows === rows.length);
	return areOfSizes && countPage ? ["'totalRows' counts only the rows of the page."] : [];
}

/** Headers in which services name limits: those of RFC drafts, of Azure API Management, and the usual ones. */
const isLimitHeader = (name: string): boolean => /rate-?limit|quota|^retry-after$/i.test(name);

function limitsSeen(readings: readonly ListReading[]): string[] {
	const headers = readings.flatMap((reading) => Object.entries(reading.headers));
	const limits = new Map(headers.filter(([name]) => isLimitHeader(name)));
	const named = [...limits].map(([name, value]) => `${name}: ${String(value)}`);
	return named.length === 0 ? [] : [`Limits that the service names: ${named.join('; ')}`];
}

/** @throws Failure when no list could be read */
export async function alsoSeen(session: CheckSession): Promise<Finding | undefined> {
	const { pages, keysOf, list } = session.mainList();
	const readings = session.readings.filter(({ list: of, failure }) => of === list && !failure);
	const lines = [
		...clockSeen(pages[0]!),
		...countSeen(pages),
		...orderSeen(readings, keysOf),
		...new Set(session.readings.flatMap(({ deviations }) => deviations)),
		...limitsSeen(session.readings),
	];
	return lines.length === 0 ? undefined : { answer: lines.join('\n'), confidence: 'likely' };
}
