// Which filters the service understands. A filter counts as understood only when each row that comes fits it, while
// rows that do not fit are known to be there: a service that ignores a filter gives all rows, without a word.
import type { IDataObject } from 'n8n-workflow';

import { isCount } from '../../answer/answerData';
import { namesOf } from '../../area';
import { filterTextOf, type Condition } from '../../form/filter';
import { updatableColumns } from '../../form/layout';
import type { ServiceConventions } from '../../form/serviceConventions';
import { pluralize } from '../../http/format';
import { conventionQuestion, type Probe } from '../conventionQuestion';
import { cannotTell, firstRows, type CheckSession } from '../session';

/** A text that every syntax writes alike, whatever it does with quotes, colons and blanks. */
const isPlainWord = (value: unknown): value is string =>
	typeof value === 'string' && /^[a-z]{2,40}$/i.test(value);

/** Whether a database may take a value for the word: in other letter case, with accents, with blanks around it. */
const isLike = (value: unknown, word: string): boolean =>
	String(value).trim().localeCompare(word, 'en', { sensitivity: 'base' }) === 0;

/** The columns that a filter may name, each with the values of the rows that were read. */
function sampledColumns(session: CheckSession) {
	const { operation, sample } = session.mainList();
	const names = namesOf(updatableColumns(operation));
	return names.map((field) => ({ field, values: sample.rows.map((row) => row[field]) }));
}

/**
 * Asks for the rows that a condition chooses; some of the rows that were read fit it.
 * @param fits whether it chooses a value; undefined where that is up to the service
 */
function filterProbe(
	session: CheckSession,
	condition: Condition,
	writtenAs: Partial<ServiceConventions>,
	fits: (value: unknown) => boolean | undefined,
): Probe {
	const { operation, first, sample } = session.mainList();
	const conventions = { ...session.access.conventions, ...session.found, ...writtenAs };
	const isChosen = (row: IDataObject) => fits(row[condition.field]);
	const known = Math.min(sample.rows.filter(isChosen).length, first.rows.length);
	return {
		query: { limit: firstRows, filter: filterTextOf([condition], operation.columns, conventions) },
		whyRejected({ rows }) {
			if (rows.some((row) => isChosen(row) === false)) return 'gives rows that do not fit';
			if (rows.length >= known) return undefined;
			return `gives ${pluralize(rows.length, 'row')}, although more fit`;
		},
	};
}

/** Two words of a column, of which one is not the first row's; undefined when it has none. */
function twoWordsOf([first, ...others]: unknown[]): [string, string] | undefined {
	if (!isPlainWord(first)) return undefined;
	const other = others.filter(isPlainWord).find((word) => !isLike(word, first));
	return other === undefined ? undefined : [other, first];
}

export const checkFilterSyntax = conventionQuestion('filterSyntax', (session) => {
	const column = sampledColumns(session).find(({ values }) => twoWordsOf(values));
	if (!column) throw cannotTell('No column has words that a filter could tell apart.');
	const { field, values } = column;
	return {
		probes: (filterSyntax) =>
			twoWordsOf(values)!.map((word) => {
				const fits = (value: unknown) =>
					value === word || (isLike(value, word) ? undefined : false);
				return filterProbe(session, { field, operator: 'eq', value: word }, { filterSyntax }, fits);
			}),
		advice:
			"Ask the service's owner how a filter is written, and set 'Filter' to 'Text'. Until then filter the rows after the node.",
	};
});

export const checkFilterNumbers = conventionQuestion('filterNumbers', (session) => {
	const { filterSyntax } = session.found;
	if (!filterSyntax) throw cannotTell('It is not known how a filter is written.');
	if (filterSyntax === 'colons') return undefined;
	const column = sampledColumns(session).find(
		({ values }) => isCount(values[0]) && new Set(values.filter(isCount)).size > 1,
	);
	if (!column) throw cannotTell('No column holds numbers that a filter could tell apart.');
	const { field, values } = column;
	const first = Number(values[0]);
	const largest = Math.max(...values.filter(isCount));
	// As text, a number is not less than the next power of ten; and whoever ignores a condition gives the first row.
	const bounds = [
		{ operator: 'lt', bound: 10 ** String(largest).length },
		{ operator: first === largest ? 'lt' : 'gt', bound: first },
	];
	return {
		probes: (filterNumbers) =>
			bounds.map(({ operator, bound }) => {
				const isChosen = (value: number) => (operator === 'lt' ? value < bound : value > bound);
				const fits = (value: unknown) => (isCount(value) ? isChosen(value) : undefined);
				const condition = { field, operator, value: String(bound) };
				return filterProbe(session, condition, { filterNumbers }, fits);
			}),
		advice: "Filter by numbers after the node, or ask the service's owner how a number is written.",
	};
});
