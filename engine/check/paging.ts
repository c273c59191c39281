// The paging of the service: how it cuts a list into pages, where the list ends, and what it counts.
import { maxRows } from '../kinds/list/listProblems';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { mainSample, readMain, requireUnchanged, type CheckSession } from './session';

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

export async function checkPageSize(session: CheckSession): Promise<Finding> {
	const { pageSize } = session.access;
	const smaller = smallerSizes.filter((size) => size < pageSize);
	// Where fewer rows come than were asked for, the nodes go on after them.
	const isAcceptedOnce = async (limit: number) => {
		const { failure, rows } = await readMain(session, { limit });
		return !failure && rows.length <= limit;
	};
	const accepted = await findAccepted(
		[pageSize, ...smaller],
		async (size) => (await isAcceptedOnce(size)) && (await isAcceptedOnce(size)),
	);
	const askOwner = 'Ask the service owner how many rows a page may have.';
	if (!accepted) throw cannotTell('The service accepts none of the sizes tried.', askOwner);
	const action = accepted === pageSize ? undefined : setTo('Page Size', accepted);
	return { answer: `${accepted} rows.`, action };
}

/**
 * How the offset is asked about: by multiples of the page, as the nodes do. A service that counts pages instead of rows
 * gives other rows for one of them.
 */
const laterPages = [
	{ limit: 2, offset: 4 },
	{ limit: 3, offset: 3 },
];

export async function checkEnd(session: CheckSession): Promise<Finding> {
	const { keys } = mainSample(session);
	if (new Set(keys).size < Math.max(keys.length, 5))
		throw cannotTell('The list is too short to tell, or has identical rows.');
	const bases = new Set<number>();
	for (const query of laterPages) {
		const page = await readMain(session, query);
		bases.add(query.offset - keys.indexOf(page.keys[0]!));
	}
	await requireUnchanged(session);
	const [base] = bases;
	if (bases.size > 1 || (base !== 0 && base !== 1)) {
		const action =
			"Only the first page of a list can be read reliably: raise 'Page Size' if the service accepts that, or use filters to get fewer rows, and ask the service owner what 'offset' means.";
		const answer = "'offset' counts rows neither from 0 nor from 1.";
		return { answer, action, confidence: 'likely' };
	}
	session.access.account.offsetBase = base;
	const { rows } = await readMain(session, { limit: 2, offset: maxRows });
	const end = rows.length > 0 ? 'rows come again' : 'no rows come';
	return { answer: `'offset' counts from ${base}. After the last row, ${end}.` };
}

export async function checkCount(session: CheckSession): Promise<Finding> {
	const sample = mainSample(session);
	const one = await readMain(session, { limit: 1 });
	if (one.rows.length >= sample.rows.length) throw cannotTell('The list is too short to tell.');
	await requireUnchanged(session);
	const { totalRows: count } = sample;
	if ([sample, one].every(({ rows, totalRows }) => totalRows === rows.length))
		return { answer: 'The rows of the page.' };
	const action = "Ask the service owner what 'totalRows' counts.";
	if (count !== one.totalRows) throw cannotTell("It depends on 'limit'.", action);
	if (count === undefined) return { answer: 'Nothing: it is missing.' };
	const all = { answer: 'All rows of the list.' };
	const { offsetBase: base } = session.access.account;
	if (base === undefined) return { ...all, confidence: 'likely' };
	const last = await readMain(session, { limit: 1, offset: base + count - 1 });
	const after = await readMain(session, { limit: 1, offset: base + count });
	const isEnd = after.rows.length === 0 || after.keys[0] === last.keys[0];
	if (last.rows.length === 1 && isEnd) return all;
	return { answer: 'Not as many rows as there are.', action, confidence: 'likely' };
}
