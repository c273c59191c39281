// How the service cuts a list into pages, and in what they differ from the description without any harm.
import { pluralize } from '../../http/format';
import { conventionFinding, probably, told, type Finding } from '../findings';
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
	if (totalRows === undefined || larger.totalRows === undefined)
		return totalRows === larger.totalRows ? 'nothing' : undefined;
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

/** Whether a page behind the rows of another has further ones: a count alone may be wrong. */
async function hasRowsBehind(session: CheckSession, reading: Reading): Promise<boolean> {
	const { keysOf } = session.mainList();
	const keys = keysOf(reading);
	const behind = await session.readUnlessRefused({ limit: 3, offset: keys.length });
	return behind !== undefined && keysOf(behind).some((key) => !keys.includes(key));
}

/** The largest page that the service gave. */
export const largestPage = (session: CheckSession) => session.shared(findLargestPage);

export async function checkPageSize(session: CheckSession): Promise<Finding> {
	const { asked, reading, rowsInAll = 0 } = await largestPage(session);
	const { pageSize } = session.access.conventions;
	const { length } = reading.rows;
	const isCut = length < asked && length < rowsInAll;
	if (isCut && !(await hasRowsBehind(session, reading)))
		throw cannotTell(
			`A page of ${asked} has ${pluralize(length, 'row')}, the service counts ${rowsInAll}, and no page has the others.`,
		);
	const refused = pageSizes[pageSizes.indexOf(asked) - 1];
	if (refused !== undefined && (await session.readUnlessRefused({ limit: refused })))
		throw cannotTell(`Pages of ${refused} rows were refused only once.`);
	// A page that is only just too large shows whether all larger ones are cut alike.
	if (isCut || length >= asked)
		await session.confirm(reading, { limit: isCut ? length + 1 : asked });
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
	if (counted === 'list') return probably('All rows of the list.');
	const answer = counted === 'page' ? 'Only the rows of the page.' : 'The service does not count.';
	return probably(`${answer} The nodes read on until a page is not full.`);
}

/**
 * How the offset is asked about: by multiples of the page, as the nodes do. A service that counts pages instead of rows
 * gives other rows for one of them.
 */
const probes = [
	{ limit: 2, offset: 4 },
	{ limit: 3, offset: 3 },
] as const;

/** The finding where only the first page of a list can be read. */
async function onlyFirstPage(session: CheckSession, answer: string): Promise<Finding> {
	const { asked, reading, rowsInAll = Infinity } = await largestPage(session);
	const { length } = reading.rows;
	if (rowsInAll > length)
		return probably(
			answer,
			`Only the first ${length} rows of a list can be read: choose fewer rows by filters, and ask the service's owner.`,
		);
	const holdsAll = `A page of ${asked} rows holds the whole list.`;
	return conventionFinding(session, 'pageSize', asked, `${answer} ${holdsAll}`);
}

export async function checkOffset(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	session.cite(first);
	const keys = keysOf(first);
	const [{ offset: furthest }, { offset }] = probes;
	if (keys.length <= furthest) throw cannotTell('The list is too short to tell.');
	if (new Set(keys).size < keys.length) throw cannotTell('The rows are alike.');
	/** The place in the list at which each page began; undefined when it was refused. */
	const begins: Array<number | undefined> = [];
	for (const probe of probes) {
		const page = await session.readUnlessRefused(probe);
		begins.push(page && keys.indexOf(keysOf(page)[0]!));
	}
	await session.confirm(first);
	const isAt = (place: (skipped: number) => number | undefined): boolean =>
		probes.every((probe, at) => begins[at] === place(probe.offset));
	const found = (base: '0' | '1', answer: string) =>
		conventionFinding(session, 'offsetBase', base, answer);
	if (isAt((skipped) => skipped))
		return found('0', `From 0: with ${offset}, that many rows are skipped.`);
	if (isAt((skipped) => skipped - 1))
		return found('1', `From 1: with ${offset}, a page begins with row ${offset}.`);
	if (isAt(() => undefined)) return await onlyFirstPage(session, 'It is refused.');
	if (isAt(() => 0))
		return await onlyFirstPage(session, 'It is ignored: each page begins with the first row.');
	throw cannotTell(
		`With ${offset} and ${furthest} the service gives rows that do not fit.`,
		"Ask the service's owner what 'offset' means. Until then, read no more rows than a page has.",
	);
}

export async function checkOrder(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	session.cite(first);
	const again = await session.read({ limit: firstRows });
	const [keys, keysAgain] = [keysOf(first), keysOf(again)];
	// A row that was added or removed in between moves the others, and leaves their order as it is.
	const common = keys.filter((key) => keysAgain.includes(key));
	const commonAgain = keysAgain.filter((key) => keys.includes(key));
	return common.length > keys.length / 2 && common.join() === commonAgain.join()
		? probably('Yes, in two readings.')
		: probably(
				'No: two readings had them in another order.',
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
		`Not quite. ${remarks.join(' ')} The nodes return the names and types of the description.`,
	);
}
