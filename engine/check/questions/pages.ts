// How the service cuts a list into pages.
import { RowIdentity } from '../../kinds/list/rowIdentity';
import { conventionFinding } from '../conventionSearch';
import { CannotTell, nothingToSet, type Finding, type Question } from '../findings';
import { firstRows, mainList } from '../overview';
import { isRefusedQuery, type CheckSession, type Reading } from '../session';

/** The sizes of a page that are asked for, the largest first, until one is not refused. */
const pageSizes = [1000, 500, 250, 200, 100, 50, 25];

/** The largest page that the service gave, and how it answered larger ones. */
interface LargestPage {
	asked: number;
	reading: Reading;
	evidence: string[];
}

/** @throws CannotTell when each size is refused */
export const largestPage = (session: CheckSession): Promise<LargestPage> =>
	session.once('largestPage', async () => {
		const { operation } = await mainList(session);
		const evidence: string[] = [];
		for (const asked of pageSizes) {
			const reading = await session.tryToRead(operation, { limit: asked });
			evidence.push(reading.evidence);
			if (!isRefusedQuery(reading)) return { asked, reading, evidence };
		}
		throw new CannotTell('The service refuses each page size that was tried.', evidence);
	});

/** What `totalRows` counts, as far as two readings tell. */
type Count = 'list' | 'page' | 'none' | 'unclear';

const whatIsCounted = ({ rows, totalRows }: Reading, larger: Reading): Count => {
	if (totalRows === undefined) return 'none';
	if (larger.rows.length <= rows.length) {
		return totalRows > rows.length ? 'list' : 'unclear';
	}
	if (totalRows === rows.length && larger.totalRows === larger.rows.length) return 'page';
	return totalRows >= larger.rows.length ? 'list' : 'unclear';
};

export const pageSizeQuestion: Question<CheckSession> = {
	question: 'How many rows may a page have?',
	async findOut(session) {
		const { first } = await mainList(session);
		const { asked, reading, evidence } = await largestPage(session);
		const { pageSize } = session.conventions;
		const { length } = reading.rows;
		const isCut =
			length < asked && whatIsCounted(first, reading) === 'list' && reading.totalRows! > length;
		const largest = isCut ? length : asked;
		const value = Math.min(largest, pageSize);
		if (asked < pageSizes[0]!) {
			const refused = pageSizes[pageSizes.indexOf(asked) - 1];
			const answer = `${largest} at least; pages of ${refused} are refused.`;
			return conventionFinding(session, 'pageSize', value, { answer, evidence });
		}
		if (isCut) {
			const answer = `${length}: larger pages are cut, and the nodes go on after the rows that came.`;
			return conventionFinding(session, 'pageSize', value, { answer, evidence });
		}
		if (length >= asked) {
			const answer = `${asked} or more. Larger pages need fewer requests.`;
			return conventionFinding(session, 'pageSize', pageSize, { answer, evidence });
		}
		const why = `The list came in one page, with ${length} rows: it is too short to tell.`;
		throw new CannotTell(why, evidence);
	},
};

export const totalRowsQuestion: Question<CheckSession> = {
	question: "What does 'totalRows' count?",
	async findOut(session) {
		const { first } = await mainList(session);
		const { reading } = await largestPage(session);
		const evidence = [first.evidence, reading.evidence];
		const count = whatIsCounted(first, reading);
		const answers: Record<Exclude<Count, 'unclear'>, [answer: string, means: string]> = {
			list: ['All rows of the list.', nothingToSet],
			page: [
				'Only the rows of the page.',
				`The nodes read on until a page is not full. ${nothingToSet}`,
			],
			none: [
				'The service does not count.',
				`The nodes read on until a page is not full. ${nothingToSet}`,
			],
		};
		if (count === 'unclear') throw new CannotTell('The list is too short to tell.', evidence);
		const [answer, means] = answers[count];
		return { answer, means, evidence, certainty: 'yes' };
	},
};

/** How many rows the second reading skips. */
const skipped = 2;

/** Such a short page that a service which counts pages instead of rows begins at another row. */
const shortPage = 3;

/** The finding where only the first page of a list can be read. */
async function onlyFirstPage(
	session: CheckSession,
	answer: string,
	evidence: readonly string[],
): Promise<Finding> {
	const { first } = await mainList(session);
	const { asked, reading } = await largestPage(session);
	const isWhole =
		whatIsCounted(first, reading) === 'list' && reading.totalRows! <= reading.rows.length;
	return isWhole
		? conventionFinding(session, 'pageSize', asked, {
				answer: `${answer} A page of ${asked} rows holds the whole list.`,
				evidence,
			})
		: {
				answer,
				means: `Only the first ${reading.rows.length} rows of a list can be read: choose fewer rows by filters, and ask the service's owner.`,
				evidence,
				certainty: 'yes',
			};
}

export const offsetQuestion: Question<CheckSession> = {
	question: "From where does 'offset' count?",
	async findOut(session) {
		const { operation, first } = await mainList(session);
		if (first.rows.length <= skipped + 1) {
			throw new CannotTell('The list is too short to tell.', [first.evidence]);
		}
		const second = await session.tryToRead(operation, { limit: shortPage, offset: skipped });
		const evidence = [first.evidence, second.evidence];
		if (isRefusedQuery(second)) return onlyFirstPage(session, 'It is refused.', evidence);
		const identity = new RowIdentity(operation.idField);
		const keys = first.rows.map((row) => identity.keyOf(row));
		if (new Set(keys).size < keys.length) throw new CannotTell('The rows are alike.', evidence);
		const [row] = second.rows;
		switch (row && keys.indexOf(identity.keyOf(row))) {
			case skipped:
				return conventionFinding(session, 'offsetBase', '0', {
					answer: `From 0: with ${skipped}, that many rows are skipped.`,
					evidence,
				});
			case skipped - 1:
				return conventionFinding(session, 'offsetBase', '1', {
					answer: `From 1: with ${skipped}, a page begins with row ${skipped}.`,
					evidence,
				});
			case 0:
				return onlyFirstPage(
					session,
					'It is ignored: each page begins with the first row.',
					evidence,
				);
			default:
				throw new CannotTell(
					`With ${skipped} the service gives rows that do not fit.`,
					evidence,
					"Ask the service's owner what 'offset' means. Until then, read no more rows than a page has.",
				);
		}
	},
};

export const orderQuestion: Question<CheckSession> = {
	question: 'Do the rows stay in the same order?',
	async findOut(session) {
		const { operation, first } = await mainList(session);
		const again = await session.read(operation, { limit: firstRows });
		const identity = new RowIdentity(operation.idField);
		const keysOf = ({ rows }: Reading) => rows.map((row) => identity.keyOf(row)).join();
		const evidence = [first.evidence, again.evidence];
		const isSame = keysOf(first) === keysOf(again);
		return {
			answer: isSame ? 'Yes, in two readings.' : 'No: two readings began with other rows.',
			means: isSame
				? nothingToSet
				: 'A list of several pages may miss rows: choose so few rows by filters that they fit on one page.',
			evidence,
			certainty: 'likely',
		};
	},
};
