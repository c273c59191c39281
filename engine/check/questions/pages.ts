// How the service cuts a list into pages.
import type { IDataObject } from 'n8n-workflow';

import { RowIdentity } from '../../kinds/list/rowIdentity';
import { CannotTell, nothingToSet, type Question } from '../findings';
import { firstRows, mainList } from '../overview';
import { isRefusal, type CheckSession, type Reading } from '../session';

/** The sizes of a page that are asked for, the largest first, until one is not refused. */
const pageSizes = [1000, 500, 250, 100, 50, 25];

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
			if (!isRefusal(reading)) return { asked, reading, evidence };
		}
		throw new CannotTell('The service refuses each page size that was tried.', evidence);
	});

/** What `totalRows` counts, as far as two readings tell. */
type Count = 'list' | 'page' | 'none' | 'unclear';

const countOf = ({ rows, totalRows }: Reading, larger: Reading): Count => {
	if (totalRows === undefined) return 'none';
	if (larger.rows.length <= rows.length) {
		return totalRows > rows.length ? 'list' : 'unclear';
	}
	if (totalRows === rows.length && larger.totalRows === larger.rows.length) return 'page';
	return totalRows >= larger.rows.length ? 'list' : 'unclear';
};

/** How many rows the list has, as far as that is known. */
export const rowCountOf = async (session: CheckSession): Promise<number | undefined> => {
	const { first } = await mainList(session);
	const { asked, reading } = await largestPage(session);
	if (countOf(first, reading) === 'list') return first.totalRows;
	return reading.rows.length < asked && reading.rows.length % 10 !== 0 ? reading.rows.length : undefined;
};

export const pageSizeQuestion: Question<CheckSession> = {
	question: 'How many rows may a page have?',
	async findOut(session) {
		const { first } = await mainList(session);
		const { asked, reading, evidence } = await largestPage(session);
		const { length } = reading.rows;
		const hasMore = countOf(first, reading) === 'list' && reading.totalRows! > length;
		const current = session.conventions.pageSize;
		const advised = (value: number) => ({
			setting: 'Page Size',
			value: String(value),
			isToBeChanged: current > value,
			evidence,
		});
		if (asked < pageSizes[0]!) {
			const next = pageSizes[pageSizes.indexOf(asked) - 1];
			return {
				...advised(length < asked && hasMore ? length : asked),
				answer: `At least ${asked}; ${next} are refused.`,
				means: 'A page must not be larger.',
				certainty: 'likely',
			};
		}
		if (length >= asked) {
			return {
				...advised(current),
				answer: `${asked} or more.`,
				means: `${nothingToSet} Larger pages need fewer requests.`,
				certainty: 'yes',
			};
		}
		if (hasMore) {
			return {
				...advised(Math.min(length, current)),
				answer: `${length}: larger pages are cut.`,
				means: 'The nodes go on after the rows that came, whatever they ask for.',
				certainty: 'yes',
			};
		}
		throw new CannotTell(
			`The list has no more than ${length} rows, and they came in one page.`,
			evidence,
		);
	},
};

export const totalRowsQuestion: Question<CheckSession> = {
	question: "What does 'totalRows' count?",
	async findOut(session) {
		const { first } = await mainList(session);
		const { reading } = await largestPage(session);
		const evidence = [first.evidence, reading.evidence];
		const count = countOf(first, reading);
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

/** How many rows the second reading skips. It is not half of a page, so that page numbers are told from rows. */
const skipped = 2;

/** Pages this short, so that the first rows hold the beginning of the page with number `skipped`, too. */
const shortPage = 3;

export const offsetQuestion: Question<CheckSession> = {
	question: 'From where does the service count the rows to skip?',
	async findOut(session) {
		const { operation, first } = await mainList(session);
		if (first.rows.length <= skipped + 1) throw new CannotTell('The list is too short to tell.', [first.evidence]);
		const second = await session.tryToRead(operation, { limit: shortPage, offset: skipped });
		const evidence = [first.evidence, second.evidence];
		if (isRefusal(second)) {
			return {
				answer: "'offset' is refused.",
				means: `Lists can be read only as far as one page goes: set 'Page Size' to more rows than they have.`,
				evidence,
				certainty: 'yes',
			};
		}
		const identity = new RowIdentity(operation.idField);
		const keys = first.rows.map((row) => identity.keyOf(row as IDataObject));
		if (new Set(keys).size < keys.length) throw new CannotTell('The first rows are alike.', evidence);
		const start = second.rows.length === 0 ? -1 : keys.indexOf(identity.keyOf(second.rows[0]!));
		const offsetBase = (value: '0' | '1', answer: string) => ({
			answer,
			means: value === session.conventions.offsetBase ? nothingToSet : 'Set it, or rows are missed or come twice.',
			setting: 'Offset Counts From',
			value,
			isToBeChanged: value !== session.conventions.offsetBase,
			evidence,
			certainty: 'yes' as const,
		});
		switch (start) {
			case skipped:
				return offsetBase('0', `From 0: with 'offset' ${skipped}, the first ${skipped} rows are skipped.`);
			case skipped - 1:
				return offsetBase('1', `From 1: 'offset' ${skipped} gives row ${skipped}.`);
			case 0:
				return {
					answer: "'offset' is ignored: each page begins with the first row.",
					means: `Lists can be read only as far as one page goes: set 'Page Size' to more rows than they have.`,
					evidence,
					certainty: 'yes',
				};
			default:
				throw new CannotTell(
					`With 'offset' ${skipped} the service gives rows that do not fit.`,
					evidence,
					"Ask the service's owner what 'offset' means.",
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
				: "A list of several pages may miss rows: set 'Page Size' to more rows than the list has, if the service gives so many.",
			evidence,
			certainty: 'likely',
		};
	},
};
