// How the service cuts a list into pages, and in what they differ from the description without any harm.
import { conventionFinding, nothingToSet, probably, told, type Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession, type Reading } from '../session';

/** The sizes of a page that are asked for, the largest first, until one is not refused. */
const pageSizes = [1000, 500, 250, 200, 100, 50, 25];

/**
 * What 'totalRows' counts.
 * @returns undefined when the first and a larger page do not tell
 */
function whatIsCounted(
	{ rows, totalRows }: Reading,
	larger: Reading,
): 'list' | 'page' | 'nothing' | undefined {
	if (totalRows === undefined) return 'nothing';
	if (larger.rows.length <= rows.length) return totalRows > rows.length ? 'list' : undefined;
	if (totalRows === rows.length && larger.totalRows === larger.rows.length) return 'page';
	return totalRows >= larger.rows.length ? 'list' : undefined;
}

/** @throws Failure when each size is refused */
async function findLargestPage(session: CheckSession) {
	const { first } = session.mainList();
	for (const asked of pageSizes) {
		const reading = await session.readUnlessRefused({ limit: asked });
		if (!reading) continue;
		const counted = whatIsCounted(first, reading);
		/** How many rows the list has, where that is known. */
		const rowsInAll = counted === 'list' ? reading.totalRows : undefined;
		return { asked, reading, counted, rowsInAll };
	}
	throw cannotTell('The service refused every page size that was tried.');
}

/** The largest page that the service gave. */
export const largestPage = (session: CheckSession) => session.shared(findLargestPage);

export async function checkPageSize(session: CheckSession): Promise<Finding> {
	const { asked, reading, rowsInAll = 0 } = await largestPage(session);
	const { pageSize } = session.access.conventions;
	const { length } = reading.rows;
	const isCut = length < asked && length < rowsInAll;
	const refused = pageSizes[pageSizes.indexOf(asked) - 1];
	const found = (size: number, answer: string) =>
		conventionFinding(session, 'pageSize', Math.min(size, pageSize), answer);
	const largest = isCut ? length : asked;
	if (refused !== undefined)
		return found(largest, `${largest} at least; pages of ${refused} are refused.`);
	if (isCut)
		return found(
			length,
			`${length}: larger pages are cut, and the nodes go on after the rows that came.`,
		);
	if (length < asked)
		throw cannotTell(`The list came in one page, with ${length} rows: it is too short to tell.`);
	return found(pageSize, `${asked} or more. Larger pages need fewer requests.`);
}

export async function checkTotalRows(session: CheckSession): Promise<Finding> {
	const { reading, counted } = await largestPage(session);
	session.cite(session.mainList().first, reading);
	if (counted === undefined) throw cannotTell('The list is too short to tell.');
	if (counted === 'list') return told('All rows of the list.');
	return told(
		counted === 'page' ? 'Only the rows of the page.' : 'The service does not count.',
		`The nodes read on until a page is not full. ${nothingToSet}`,
	);
}

/** How many rows the second reading skips. */
const skipped = 2;

/** Such a short page that a service which counts pages instead of rows begins at another row. */
const shortPage = 3;

/** The finding where only the first page of a list can be read. */
async function onlyFirstPage(session: CheckSession, answer: string): Promise<Finding> {
	const { asked, reading, rowsInAll = Infinity } = await largestPage(session);
	const { length } = reading.rows;
	if (rowsInAll > length)
		return told(
			answer,
			`Only the first ${length} rows of a list can be read: choose fewer rows by filters, and ask the service's owner.`,
		);
	const holdsAll = `A page of ${asked} rows holds the whole list.`;
	return conventionFinding(session, 'pageSize', asked, `${answer} ${holdsAll}`);
}

export async function checkOffset(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	session.cite(first);
	if (first.rows.length <= skipped + 1) throw cannotTell('The list is too short to tell.');
	const second = await session.readUnlessRefused({ limit: shortPage, offset: skipped });
	if (!second) return await onlyFirstPage(session, 'It is refused.');
	const keys = keysOf(first);
	if (new Set(keys).size < keys.length) throw cannotTell('The rows are alike.');
	const found = (base: '0' | '1', answer: string) =>
		conventionFinding(session, 'offsetBase', base, answer);
	const begin = keys.findIndex((key) => key === keysOf(second)[0]);
	if (begin === skipped) return found('0', `From 0: with ${skipped}, that many rows are skipped.`);
	if (begin === skipped - 1)
		return found('1', `From 1: with ${skipped}, a page begins with row ${skipped}.`);
	if (begin === 0)
		return await onlyFirstPage(session, 'It is ignored: each page begins with the first row.');
	throw cannotTell(
		`With ${skipped} the service gives rows that do not fit.`,
		"Ask the service's owner what 'offset' means. Until then, read no more rows than a page has.",
	);
}

export async function checkOrder(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	session.cite(first);
	const again = await session.read({ limit: firstRows });
	return keysOf(first).join() === keysOf(again).join()
		? probably('Yes, in two readings.')
		: probably(
				'No: two readings began with other rows.',
				'A list of several pages may miss rows: use filters, so that the rows fit on one page.',
			);
}

export async function checkTypes(session: CheckSession): Promise<Finding> {
	const { reading: larger } = await largestPage(session);
	const readings = [...session.readings, larger];
	session.cite(...readings);
	const remarks = [...new Set(readings.flatMap((reading) => reading.remarks))];
	if (remarks.length === 0) return told('Yes, those that were read.');
	return told(
		`Not quite. ${remarks.join(' ')}`,
		'Nothing to change: the nodes understand them, and return the names and types of the description.',
	);
}
