// Which filters the service understands. A filter counts as understood only when each row that comes fits it, while
// rows that do not fit are known to be there: a service that ignores a filter gives all rows, without a word.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../../area';
import { filterTextOf, type Condition } from '../../form/filter';
import { updatableColumns } from '../../form/layout';
import type { ServiceConventions } from '../../form/serviceConventions';
import { conventionFinding, probably, told, understoodValue, type Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession, type Reading } from '../session';
import { largestPage } from './pages';

/** A text that every syntax writes alike, whatever it does with quotes, colons and blanks. */
const isPlainWord = (value: unknown): value is string =>
	typeof value === 'string' && /^[a-z]{2,40}$/i.test(value);

/** The columns of the main list that a filter may name, and its rows. */
async function filterable(session: CheckSession) {
	const { rows } = (await largestPage(session)).reading;
	return { rows, columns: namesOf(updatableColumns(session.mainList().operation)) };
}

/**
 * A column, the first row's value in it, and another value that some other row has.
 * @throws Failure when there is none
 */
async function textSample(session: CheckSession) {
	const { columns, rows } = await filterable(session);
	for (const field of columns) {
		const first = rows[0]?.[field];
		if (!isPlainWord(first)) continue;
		const words = rows.map((row) => row[field]).filter(isPlainWord);
		const other = words.find((word) => word.toLowerCase() !== first.toLowerCase());
		if (other !== undefined) return { field, first, other };
	}
	throw cannotTell('No column has words that a filter could tell apart.');
}

/**
 * Asks for the rows that some conditions choose.
 * @returns undefined when they are refused
 */
async function readFiltered(
	session: CheckSession,
	conditions: readonly Condition[],
	writtenAs: Partial<ServiceConventions>,
): Promise<Reading | undefined> {
	const { columns } = session.mainList().operation;
	const filter = filterTextOf(conditions, columns, { ...session.access.conventions, ...writtenAs });
	return await session.readUnlessRefused({ limit: firstRows, filter });
}

/**
 * @param fits whether a row belongs to what was asked for; some row of the list does not
 * @returns undefined when the filter was understood
 */
function objectionTo(
	reading: Reading | undefined,
	fits: (row: IDataObject) => boolean,
): string | undefined {
	if (!reading) return 'is refused';
	if (reading.rows.length === 0) return 'gives no row, although there are some';
	return reading.rows.every(fits) ? undefined : 'gives rows that do not fit';
}

async function findSyntax(session: CheckSession): Promise<ServiceConventions['filterSyntax']> {
	const { field, other } = await textSample(session);
	const conditions = [{ field, operator: 'eq', value: other }];
	const advice =
		"Ask the service's owner how a filter is written, and set 'Filter' to 'Text'. Until then filter the rows after the node.";
	return await understoodValue(session, 'filterSyntax', advice, async (filterSyntax) => {
		const reading = await readFiltered(session, conditions, { filterSyntax });
		return objectionTo(reading, (row) => row[field] === other);
	});
}

export const checkFilterSyntax = async (session: CheckSession): Promise<Finding> =>
	conventionFinding(session, 'filterSyntax', await session.shared(findSyntax));

export async function checkJoinedConditions(session: CheckSession): Promise<Finding> {
	const filterSyntax = await session.shared(findSyntax);
	const { field, first, other } = await textSample(session);
	// The first row fits neither condition alone, so that each of them shows whether it counts.
	const conditions = [first, other].map((value) => ({ field, operator: 'ne', value }));
	const reading = await readFiltered(session, conditions, { filterSyntax });
	const fits = ({ [field]: value }: IDataObject) => value !== first && value !== other;
	const objection = objectionTo(reading, fits);
	if (objection === undefined) return told('Yes.');
	return probably(
		`No: a filter of two conditions ${objection}.`,
		'Use one condition in the node, and a Filter node for the others.',
	);
}

export async function checkFilterNumbers(session: CheckSession): Promise<Finding | undefined> {
	const filterSyntax = await session.shared(findSyntax);
	if (filterSyntax === 'colons') return undefined;
	const { columns, rows } = await filterable(session);
	const field = columns.find((column) =>
		rows.every(({ [column]: value }) => typeof value === 'number' && value > 9),
	);
	if (field === undefined) throw cannotTell('No column holds numbers alone.');
	// As text, "9" stands behind most numbers that are larger: fewer rows come than there are.
	const conditions = [{ field, operator: 'gt', value: '9' }];
	const numbersIn = (some: readonly IDataObject[]): string =>
		JSON.stringify(some.slice(0, firstRows).map((row) => row[field]));
	const advice =
		"Filter by numbers after the node, or ask the service's owner how a number is written.";
	const value = await understoodValue(session, 'filterNumbers', advice, async (filterNumbers) => {
		const reading = await readFiltered(session, conditions, { filterSyntax, filterNumbers });
		if (!reading) return 'are refused';
		return numbersIn(reading.rows) === numbersIn(rows) ? undefined : 'are compared as text';
	});
	return conventionFinding(session, 'filterNumbers', value);
}
