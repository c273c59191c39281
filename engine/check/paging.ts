// The paging of the service: how many rows a page may have, and what is counted.
import { formatCount, pluralize } from '../http/format';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { mainSample, readMain, type CheckSession } from './session';

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

/** Those that are tried where the present one is accepted, one after the other. */
const largerSizes = [1000, 10_000];

export async function checkPageSize(session: CheckSession): Promise<Finding> {
	const { pageSize } = session.access;
	const smaller = smallerSizes.filter((size) => size < pageSize);
	// Where fewer rows come than were asked for, the nodes go on after them.
	const accepted = await findAccepted([pageSize, ...smaller], async (limit) => {
		const { failure, rows } = await readMain(session, { limit });
		return !failure && rows.length <= limit;
	});
	const askOwner = 'Ask the service owner how many rows a page may have.';
	if (!accepted) throw cannotTell('The service accepts none of the sizes tried.', askOwner);
	const answer = `${formatCount(accepted)} rows.`;
	if (accepted !== pageSize) return { answer, action: setTo('Page Size', accepted) };
	return { answer: answer + (await savingOfLargerPages(session)) };
}

/** Says how many requests larger pages save: a person may want fewer, but nobody needs to change the setting for it. */
async function savingOfLargerPages(session: CheckSession): Promise<string> {
	const { list, totalRows = 0 } = mainSample(session);
	const present = (await readMain(session, { limit: session.access.pageSize })).rows.length;
	let [largest, setting] = [present, 0];
	for (const size of largerSizes) {
		const possible = Math.min(totalRows, size);
		const { rows } = largest < possible ? await readMain(session, { limit: size }) : { rows: [] };
		if (rows.length <= largest) continue;
		largest = rows.length;
		// Where fewer rows come than there are, they are the most that the service gives.
		setting = largest < possible ? largest : size;
	}
	if (setting === 0) return '';
	const [fewer, now] = [largest, present].map((length) => Math.ceil(totalRows / length));
	return ` With 'Page Size' at '${setting}', all ${formatCount(totalRows)} rows of ${list.label} take ${pluralize(fewer!, 'request')} instead of ${now}.`;
}

export async function checkCount(session: CheckSession): Promise<Finding> {
	const { pageSize } = session.access;
	const sample = mainSample(session);
	const one = await readMain(session, { limit: 1 });
	if (one.rows.length >= sample.rows.length) throw cannotTell('The list is too short to tell.');
	if (sample.totalRows === undefined) return { answer: 'Nothing: it is missing.' };
	if (sample.totalRows === one.totalRows)
		return { answer: "The rows of the list, whatever 'limit' is." };
	if ([sample, one].some(({ rows, totalRows }) => totalRows !== rows.length))
		throw cannotTell("It depends on 'limit'.", "Ask the service owner what 'totalRows' counts.");
	const answer = 'The rows of the page.';
	const { length } = (await readMain(session, { limit: pageSize })).rows;
	if (length === 0 || length >= pageSize) return { answer };
	const next = await readMain(session, { limit: 1, offset: length });
	if (next.rows.length === 0) return { answer };
	// Only a full page shows then that another follows.
	return { answer, action: setTo('Page Size', length) };
}
