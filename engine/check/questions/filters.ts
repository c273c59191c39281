// Which filters the service understands. A filter counts as understood only when each row that comes fits it, while
// rows that do not fit are known to be there: a service that ignores a filter gives all rows, without a word.
import type { IDataObject } from 'n8n-workflow';

import { updatableColumns } from '../../form/layout';
import { namesOf } from '../../area';
import { filterTextOf, type Condition } from '../../form/filter';
import type { ServiceConventions } from '../../form/serviceConventions';
import { searchConvention, type Trial } from '../conventionSearch';
import { CannotTell, nothingToSet, type Question } from '../findings';
import { mainList } from '../overview';
import { isRefusedQuery, type CheckSession, type Reading, type RefusedQuery } from '../session';
import { largestPage } from './pages';

/** How many rows are asked for to judge a filter. */
const judgedRows = 10;

/** A text that every syntax writes alike, whatever it does with quotes, colons and blanks. */
const isPlainWord = (value: unknown): value is string =>
	typeof value === 'string' && /^[a-z]{2,40}$/i.test(value);

/** The columns of the main list that a filter may name, and its rows. */
const filterable = async (session: CheckSession) => {
	const { operation } = await mainList(session);
	const { reading } = await largestPage(session);
	return { operation, rows: reading.rows, columns: namesOf(updatableColumns(operation)) };
};

/**
 * A column, the first row's value in it, and another value that some other row has.
 * @throws CannotTell when there is none
 */
const textSample = (session: CheckSession) =>
	session.once('textSample', async () => {
		const { columns, rows } = await filterable(session);
		for (const field of columns) {
			const words = rows.map((row) => row[field]).filter(isPlainWord);
			const first = rows[0]?.[field];
			if (!isPlainWord(first)) continue;
			const other = words.find((word) => word.toLowerCase() !== first.toLowerCase());
			if (other !== undefined) return { field, first, other };
		}
		throw new CannotTell('No column has different plain words to filter by.');
	});

/** A column of numbers with more than one digit. */
const numberColumn = async (session: CheckSession): Promise<string> => {
	const { columns, rows } = await filterable(session);
	const field = columns.find((column) =>
		rows.every(({ [column]: value }) => typeof value === 'number' && value > 9),
	);
	if (field === undefined) throw new CannotTell('No column holds numbers alone.');
	return field;
};

type FilterVerdict = 'understood' | 'refused' | 'ignored' | 'nothing';

/** @param fits whether a row belongs to what was asked for; some row of the list does not */
function filterVerdict(
	reading: Reading | RefusedQuery,
	fits: (row: IDataObject) => boolean,
): FilterVerdict {
	if (isRefusedQuery(reading)) return 'refused';
	if (reading.rows.length === 0) return 'nothing';
	return reading.rows.every(fits) ? 'understood' : 'ignored';
}

const verdictInWords: Record<Exclude<FilterVerdict, 'understood'>, string> = {
	refused: 'is refused',
	ignored: 'gives rows that do not fit',
	nothing: 'gives no row, although there are some',
};

/** Asks for the rows that some conditions choose. */
async function tryFilter(
	session: CheckSession,
	conditions: readonly Condition[],
	writtenAs: Partial<ServiceConventions>,
	fits: (row: IDataObject) => boolean,
): Promise<Trial> {
	const { operation } = await mainList(session);
	const conventions = { ...session.conventions, ...writtenAs };
	const filter = filterTextOf(conditions, operation.columns, conventions);
	const reading = await session.tryToRead(operation, { limit: judgedRows, filter });
	const verdict = filterVerdict(reading, fits);
	return {
		evidence: [reading.evidence],
		...(verdict !== 'understood' && { objection: verdictInWords[verdict] }),
	};
}

/** The syntax that the service understands. */
const understoodSyntax = (session: CheckSession) =>
	session.once('understoodSyntax', async () => {
		const { field, other } = await textSample(session);
		const conditions = [{ field, operator: 'eq', value: other }];
		return await searchConvention(
			session,
			'filterSyntax',
			(filterSyntax) =>
				tryFilter(session, conditions, { filterSyntax }, (row) => row[field] === other),
			"Ask the service's owner how a filter is written, and set 'Filter' to 'Text'. Until then filter the rows after the node.",
		);
	});

export const filterSyntaxQuestion: Question<CheckSession> = {
	question: 'How is a filter written?',
	findOut: async (session) => (await understoodSyntax(session)).finding,
};

export const joinedConditionsQuestion: Question<CheckSession> = {
	question: 'Do several conditions of a filter all count?',
	async findOut(session) {
		const { value: filterSyntax } = await understoodSyntax(session);
		const { field, first, other } = await textSample(session);
		// The first row fits neither condition alone, so that each of them shows whether it counts.
		const conditions = [first, other].map((value) => ({ field, operator: 'ne', value }));
		const { evidence, objection } = await tryFilter(
			session,
			conditions,
			{ filterSyntax },
			({ [field]: value }) => value !== first && value !== other,
		);
		return objection === undefined
			? { answer: 'Yes.', means: nothingToSet, evidence, certainty: 'yes' }
			: {
					answer: `No: a filter of two conditions ${objection}.`,
					means: 'Use one condition in the node, and a Filter node for the others.',
					evidence,
					certainty: 'likely',
				};
	},
};

export const filterNumbersQuestion: Question<CheckSession> = {
	question: 'How are numbers written in a filter?',
	async findOut(session) {
		const { value: filterSyntax } = await understoodSyntax(session);
		if (filterSyntax === 'colons') return undefined;
		const field = await numberColumn(session);
		const { rows } = await filterable(session);
		// As text, "9" stands behind most numbers that are larger: fewer rows come than there are.
		const conditions = [{ field, operator: 'gt', value: '9' }];
		const numbersIn = (some: readonly IDataObject[]): string =>
			JSON.stringify(some.slice(0, judgedRows).map((row) => row[field]));
		const { finding } = await searchConvention(
			session,
			'filterNumbers',
			async (filterNumbers) => {
				const { operation } = await mainList(session);
				const filter = filterTextOf(conditions, operation.columns, {
					...session.conventions,
					filterSyntax,
					filterNumbers,
				});
				const reading = await session.tryToRead(operation, { limit: judgedRows, filter });
				const { evidence } = reading;
				if (isRefusedQuery(reading)) return { evidence: [evidence], objection: 'are refused' };
				const isAll = numbersIn(reading.rows) === numbersIn(rows);
				return { evidence: [evidence], ...(!isAll && { objection: 'are compared as text' }) };
			},
			"Filter by numbers after the node, or ask the service's owner how a number is written.",
		);
		return finding;
	},
};
