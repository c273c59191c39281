// Which filters the service understands. A filter counts as understood only when each row that comes fits it, while
// rows that do not fit are known to be there: a service that ignores a filter gives all rows, without a word.
import { isCount } from '../../answer/answerData';
import { namesOf } from '../../area';
import { filterTextOf, type Condition } from '../../form/filter';
import { updatableColumns } from '../../form/layout';
import type { ServiceConventions } from '../../form/serviceConventions';
import { pluralize } from '../../http/format';
import { conventionFinding, probably, understoodValue, type Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession } from '../session';
import { largestPage } from './pages';

/** A text that every syntax writes alike, whatever it does with quotes, colons and blanks. */
const isPlainWord = (value: unknown): value is string =>
	typeof value === 'string' && /^[a-z]{2,40}$/i.test(value);

/** Whether a database may take a value for the word: in other letter case, with accents, with blanks around it. */
const isLike = (value: unknown, word: string): boolean =>
	String(value).trim().localeCompare(word, 'en', { sensitivity: 'base' }) === 0;

/** The columns of the main list that a filter may name, and its rows. */
async function filterable(session: CheckSession) {
	const { rows } = (await largestPage(session)).reading;
	return { rows, columns: namesOf(updatableColumns(session.mainList().operation)) };
}

/**
 * A column, and two words of it: the first row's, and one that some other row has.
 * @throws Failure when there is none
 */
async function textSample(session: CheckSession) {
	const { columns, rows } = await filterable(session);
	for (const field of columns) {
		const first = rows[0]?.[field];
		if (!isPlainWord(first)) continue;
		const words = rows.map((row) => row[field]).filter(isPlainWord);
		const other = words.find((word) => !isLike(word, first));
		if (other !== undefined) return { field, first, other };
	}
	throw cannotTell('No column has words that a filter could tell apart.');
}

/**
 * Asks for the rows that some conditions on a column choose.
 * @param fits whether they choose a value; undefined where that is up to the service
 * @returns undefined when the filter was understood
 */
async function objectionTo(
	session: CheckSession,
	field: string,
	comparisons: ReadonlyArray<Omit<Condition, 'field'>>,
	writtenAs: Partial<ServiceConventions>,
	fits: (value: unknown) => boolean | undefined,
): Promise<string | undefined> {
	const { operation, first } = session.mainList();
	const conventions = { ...session.access.conventions, ...writtenAs };
	const conditions = comparisons.map((comparison) => ({ field, ...comparison }));
	const filter = filterTextOf(conditions, operation.columns, conventions);
	const { rows } = await filterable(session);
	const known = rows.filter((row) => fits(row[field])).length;
	if (known === 0) throw cannotTell('The list has no row that such a filter chooses.');
	const reading = await session.readUnlessRefused({ limit: firstRows, filter });
	if (!reading) return 'is refused';
	if (reading.rows.some((row) => fits(row[field]) === false)) return 'gives rows that do not fit';
	const { length } = reading.rows;
	if (length >= Math.min(known, first.rows.length)) return undefined;
	return `gives ${pluralize(length, 'row')}, although more fit`;
}

async function findSyntax(session: CheckSession): Promise<ServiceConventions['filterSyntax']> {
	const { field, first, other } = await textSample(session);
	const advice =
		"Ask the service's owner how a filter is written, and set 'Filter' to 'Text'. Until then filter the rows after the node.";
	return await understoodValue(session, 'filterSyntax', advice, async (filterSyntax, round) => {
		const word = [other, first][round]!;
		const fits = (value: unknown) => value === word || (isLike(value, word) ? undefined : false);
		const comparisons = [{ operator: 'eq', value: word }];
		return await objectionTo(session, field, comparisons, { filterSyntax }, fits);
	});
}

export const checkFilterSyntax = async (session: CheckSession): Promise<Finding> =>
	conventionFinding(session, 'filterSyntax', await session.shared(findSyntax));

export async function checkJoinedConditions(session: CheckSession): Promise<Finding> {
	const filterSyntax = await session.shared(findSyntax);
	const { field, first, other } = await textSample(session);
	const words = [first, other];
	// The first row fits neither condition alone, so that each of them shows whether it counts.
	const comparisons = words.map((value) => ({ operator: 'ne', value }));
	const fits = (value: unknown) => {
		if (words.some((word) => value === word)) return false;
		return !value || words.some((word) => isLike(value, word)) ? undefined : true;
	};
	const objection = await objectionTo(session, field, comparisons, { filterSyntax }, fits);
	if (objection === undefined) return probably('Yes.');
	return probably(
		`No: a filter of two conditions ${objection}.`,
		'Use one condition in the node, and a Filter node for the others.',
	);
}

export async function checkFilterNumbers(session: CheckSession): Promise<Finding | undefined> {
	const filterSyntax = await session.shared(findSyntax);
	if (filterSyntax === 'colons') return undefined;
	const { columns, rows } = await filterable(session);
	const samples = columns.map((field) => ({
		field,
		first: rows[0]?.[field],
		numbers: rows.map((row) => row[field]).filter(isCount),
	}));
	const sample = samples.find(({ first, numbers }) => isCount(first) && new Set(numbers).size > 1);
	if (!sample) throw cannotTell('No column holds numbers that a filter could tell apart.');
	const { field, first, numbers } = sample;
	const largest = Math.max(...numbers);
	// As text, a number is not less than the next power of ten; and whoever ignores a condition gives the first row.
	const probes = [
		{ operator: 'lt', limit: 10 ** String(largest).length },
		{ operator: first === largest ? 'lt' : 'gt', limit: Number(first) },
	] as const;
	const advice =
		"Filter by numbers after the node, or ask the service's owner how a number is written.";
	const found = await understoodValue(
		session,
		'filterNumbers',
		advice,
		async (filterNumbers, round) => {
			const { operator, limit } = probes[round];
			const comparisons = [{ operator, value: String(limit) }];
			const writtenAs = { filterSyntax, filterNumbers };
			const isChosen = (value: number) => (operator === 'lt' ? value < limit : value > limit);
			const fits = (value: unknown) => (isCount(value) ? isChosen(value) : undefined);
			return await objectionTo(session, field, comparisons, writtenAs, fits);
		},
	);
	return conventionFinding(session, 'filterNumbers', found);
}
