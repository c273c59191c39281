// What the readings made for the questions show besides; no setting of the credential follows from it.
import { formatDuration, groupedBy } from '../http/format';
import { likelyFinding, type Finding } from './findings';
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
		`The service's clock is ${formatDuration(difference)} ${relation} that of n8n: set the clock that is wrong. In the trigger, set 'Overlap (Minutes)' to at least ${overlap} if 'Detect By' is 'Changes Since'.`,
	];
}

/** @param keysOf what the rows of a reading are told apart by */
function orderSeen(
	readings: readonly ListReading[],
	keysOf: (reading: ListReading) => unknown[],
): string[] {
	const byQuery = groupedBy(readings, ({ query }) => JSON.stringify(query));
	const isSteady = (alike: ListReading[]) =>
		new Set(alike.map((one) => keysOf(one).join())).size === 1;
	if ([...byQuery.values()].every(isSteady)) return [];
	return [
		'Rows changed, or came in another order, when they were read again: if that is so each time, a list of several pages may miss rows. Then use filters, so that the rows fit on one page.',
	];
}

const countsOnlyPage = ({ rows, totalRows }: ListReading): boolean => totalRows === rows.length;

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
	const { first, sample, keysOf, list } = session.mainList();
	const readings = session.readings.filter(({ list: of, failure }) => of === list && !failure);
	const countsPages = sample !== first && [first, sample].every(countsOnlyPage);
	const lines = [
		...clockSeen(first),
		...(countsPages ? ["'totalRows' counts only the rows of the page."] : []),
		...orderSeen(readings, keysOf),
		...new Set(session.readings.flatMap(({ deviations }) => deviations)),
		...limitsSeen(session.readings),
	];
	return lines.length === 0 ? undefined : likelyFinding(lines.join('\n'));
}
