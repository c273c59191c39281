// The paging of the service: how many rows a page may have, and what is counted.
import { formatCount, pluralize } from '../http/format';
import type { ListPage } from '../kinds/list/page';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { firstRows, mainSample, readMain, type CheckSession } from './session';

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
	const contentsOf = ({ totalRows, keys }: ListPage) => [totalRows, ...keys].join();
	if (contentsOf(await readMain(session, { limit: firstRows })) !== contentsOf(sample))
		throw cannotTell('The list differed when it was read again.');
	const { totalRows: count } = sample;
	const rowAfter = async (offset: number) =>
		(await readMain(session, { limit: 1, offset })).keys[0];
	if ([sample, one].every(({ rows, totalRows }) => totalRows === rows.length)) {
		const answer = 'The rows of the page.';
		const { length } = (await readMain(session, { limit: pageSize })).rows;
		// Only a full page shows then that another follows.
		const isCut = length > 0 && length < pageSize && (await rowAfter(length)) !== undefined;
		return isCut
			? { answer, action: setTo('Page Size', length), confidence: 'likely' }
			: { answer };
	}
	const action = "Ask the service owner what 'totalRows' counts.";
	if (count !== one.totalRows) throw cannotTell("It depends on 'limit'.", action);
	if (count === undefined) return { answer: 'Nothing: it is missing.' };
	const [last, after] = [await rowAfter(count - 1), await rowAfter(count)];
	const isEnd = last !== undefined && (after === undefined || after === last);
	if (isEnd) return { answer: 'All rows of the list.' };
	return { answer: 'Not as many rows as there are.', action, confidence: 'likely' };
}
