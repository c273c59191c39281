// Which filters the service understands. A filter counts as understood only when each row that comes fits it, while
// rows that do not fit are known to be there: a service that ignores a filter gives all rows, without a word.
import type { IDataObject } from 'n8n-workflow';

import { isCount } from '../../answer/answerData';
import { namesOf } from '../../area';
import { filterTextOf, type Condition } from '../../form/filter';
import { updatableColumns } from '../../form/layout';
import { pluralize } from '../../http/format';
import type { AskQuestion, Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession } from '../session';
import { askSetting } from '../settingQuestion';

/** A condition without its column. */
type Comparison = Omit<Condition, 'field'>;

/** A text that every syntax writes alike, whatever it does with quotes, colons and blanks. */
const isPlainWord = (value: unknown): value is string =>
	typeof value === 'string' && /^[a-z]{2,40}$/i.test(value);

/** Whether a database may take a value for the word: in other letter case, with accents, with blanks around it. */
const isLike = (value: unknown, word: string): boolean =>
	String(value).trim().localeCompare(word, 'en', { sensitivity: 'base' }) === 0;

/** Whether a condition chooses a value; undefined where that is up to the service. */
function isChosenBy({ operator, value: given }: Comparison, value: unknown): boolean | undefined {
	if (operator === 'eq') return value === given || (isLike(value, given) ? undefined : false);
	if (!isCount(value)) return undefined;
	return operator === 'lt' ? value < Number(given) : value > Number(given);
}

/** Compares with two words, of which one at least is not the first row's. */
function compareWords(values: readonly unknown[]): Comparison[] {
	const [first, ...others] = values.filter(isPlainWord);
	const other = others.find((word) => !isLike(word, first!));
	return other === undefined ? [] : [other, first!].map((value) => ({ operator: 'eq', value }));
}

/** As text, a number is not less than the next power of ten; and whoever ignores a condition gives the first row. */
function compareNumbers(values: readonly unknown[]): Comparison[] {
	const numbers = values.filter(isCount);
	const [first] = numbers;
	if (first !== values[0] || new Set(numbers).size < 2) return [];
	const largest = Math.max(...numbers);
	return [
		{ operator: 'lt', value: String(10 ** String(largest).length) },
		{ operator: first === largest ? 'lt' : 'gt', value: String(first) },
	];
}

/**
 * Asks for the rows that conditions choose, on the first column that allows some.
 * @param compare gives comparisons of which each chooses some of the values, and not all; none if it cannot
 */
function byFilters(session: CheckSession, compare: (values: readonly unknown[]) => Comparison[]) {
	const { list, sample } = session.mainList();
	const conditions = namesOf(updatableColumns(list.operation))
		.map((field) => compare(sample.rows.map((row) => row[field])).map((one) => ({ field, ...one })))
		.find(({ length }) => length > 0);
	if (!conditions) throw cannotTell('No column has values that a filter could tell apart.');
	return async () => {
		for (const condition of conditions) {
			const filter = filterTextOf([condition], list.operation.columns, session.settings);
			const { rows } = await session.readRows({ limit: firstRows, filter });
			const isChosen = (row: IDataObject) => isChosenBy(condition, row[condition.field]);
			if (rows.some((row) => isChosen(row) === false)) return 'returns rows that do not match';
			const known = sample.rows.filter(isChosen).length;
			if (rows.length < Math.min(known, firstRows))
				return `returns ${pluralize(rows.length, 'row')}, although more match`;
		}
		return undefined;
	};
}

export const checkFilterSyntax: AskQuestion = async (session) =>
	await askSetting(session, 'filterSyntax', {
		whyRejected: byFilters(session, compareWords),
		advice:
			"Ask the service owner how a filter is written, and set 'Filter' to 'Text'. Until then, filter the rows after the node.",
	});

export async function checkFilterNumbers(session: CheckSession): Promise<Finding | undefined> {
	if (session.settings.filterSyntax === 'colons') return undefined;
	return await askSetting(session, 'filterNumbers', {
		whyRejected: byFilters(session, compareNumbers),
		advice: 'Filter by numbers after the node, or ask the service owner how a number is written.',
	});
}
