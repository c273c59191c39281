// The fields that choose the rows of a list (conditions on the form, a filter text, the other list parameters), and
// the query that they become.
import type { IDataObject } from 'n8n-workflow';

import { choice, text, type InputField, type ScalarField, type ValuesOf } from '../area';
import { Failure } from '../failure';
import { truncate } from '../http/json';
import { choiceList, choicesOf } from './labels';
import { formatDate, type ServiceConventions } from './serviceConventions';

/** Conditions and a text cannot be combined, since it would be a guess which of them the service follows. */
const filterBy = choice('filterBy', {
	choices: choiceList({
		none: ['None', 'All rows'],
		conditions: ['Conditions', 'Chosen on this form'],
		text: ['Text', "A filter text in the service's own syntax"],
	}),
	label: 'Filter',
	default: 'none',
	noDataExpression: true,
	description: 'Which rows the service returns',
});

const filterText = text('filter', {
	label: 'Filter Text',
	required: true,
	example: 'city eq "Springfield"',
	displayedWhen: { filterBy: ['text'] },
	description:
		'Sent as is. The service knows the operators eq, ne, ge, gt, le and lt, and compares any updatable field.',
});

/**
 * The fields of the form that set the filter.
 * @param columns fields of a row that a filter may name
 */
export const rowFilter = (columns: readonly ScalarField[]): InputField[] => [
	filterBy,
	{
		name: 'conditions',
		type: 'objects',
		entryLabel: 'Condition',
		required: true,
		displayedWhen: { filterBy: ['conditions'] },
		description:
			"Rows must meet all conditions. The credential sets how they are written; Agency Records Check finds the right syntax. You can also set 'Filter' to 'Text' and write the filter yourself.",
		fields: [
			choice('field', {
				choices: choicesOf(columns),
				default: columns[0]!.name,
				required: true,
				description: 'Field of a row to compare',
			}),
			choice('operator', {
				// Those of the API spec's "List query parameters".
				choices: choiceList({
					eq: ['Equals'],
					gt: ['Greater Than'],
					ge: ['Greater Than or Equal'],
					lt: ['Less Than'],
					le: ['Less Than or Equal'],
					ne: ['Not Equal'],
				}),
				default: 'eq',
				required: true,
				description: 'How the field is compared with the value',
			}),
			text('value', { required: true, description: 'What the field is compared with' }),
		],
	},
	filterText,
];

/** The list parameter that chooses rows by their state. */
export const showArchived = text('showArchived', {
	description:
		"Whether to include archived items. 'Archived Values' in the credential says what is sent for true and false; any other text is sent as is.",
	example: 'true',
});

/** The list parameters of the API spec, besides the filter, that choose rows. */
export const changeFilters = [
	text('changesSince', {
		isDate: true,
		description:
			"Return items changed since this date. A date from an expression, or text like the example, is written as 'Changes Since Format' in the credential says; any other text is sent as is.",
		example: '2026-03-01T00:00:00Z',
	}),
	text('rowVersion', {
		description: "Return rows changed since this version (rows have it when 'Output' is 'Raw')",
		example: 'AAAAAAAAB9E=',
	}),
	showArchived,
];

/** A condition of a filter, as it is on the form. */
export interface Condition {
	field: string;
	operator: string;
	value: string;
}

/** The query of a list as it is on the form. */
export type ListQuery = ValuesOf<readonly [typeof filterText, ...typeof changeFilters]> & {
	filterBy?: 'none' | 'conditions' | 'text';
	conditions?: readonly Condition[];
};

/** How each syntax writes a text. */
const quotes: Record<ServiceConventions['filterSyntax'], (text: string) => string> = {
	doubleQuotes: (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`,
	singleQuotes: (text) => `'${text.replaceAll("'", "''")}'`,
	colons: (text) => text,
};

const isNumber = (value: string): boolean => value.length <= 40 && /^-?\d+(\.\d+)?$/.test(value);

const holdsNumbers = ({ type }: ScalarField): boolean => type === 'integer' || type === 'number';

/**
 * The conditions as a filter text. The API spec names only the operators; how a condition is written and how several
 * are joined is a convention of the service, so that the form also takes a text instead.
 * @param columns the fields of a row
 * @throws Failure for a value that the syntax has no way to write
 */
export function filterTextOf(
	selected: readonly Condition[],
	columns: readonly ScalarField[],
	{ filterSyntax, filterNumbers }: ServiceConventions,
): string {
	const [separator, conjunction] = filterSyntax === 'colons' ? [':', ';'] : [' ', ' and '];
	const numeric = filterNumbers === 'bare' ? columns.filter(holdsNumbers) : [];
	return selected
		.map(({ field, operator, value }) => {
			// The syntax with colons has no quotes, in which a value could hold what ends it.
			if (filterSyntax === 'colons' && /[:;]/.test(value)) {
				throw new Failure(
					`A condition has a value with a colon or a semicolon, "${truncate(value, 60)}", which 'Filter Syntax' in the credential cannot express`,
					'notSent',
					{
						code: 'invalidValues',
						advice: 'Leave the condition out, and use a Filter node after this one.',
					},
				);
			}
			const isBare = numeric.some(({ name }) => name === field) && isNumber(value);
			return [field, operator, isBare ? value : quotes[filterSyntax](value)].join(separator);
		})
		.join(conjunction);
}

/** A date and time in ISO 8601 that names its offset from UTC, so that it is one point in time. */
const isPointInTime = (text: string): boolean =>
	/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) &&
	!Number.isNaN(Date.parse(text));

const archivedWords = { trueFalse: ['true', 'false'], oneZero: ['1', '0'], yesNo: ['yes', 'no'] };

/** How 'Show Archived' is sent. */
export const formatArchived = (
	isWanted: boolean,
	values: ServiceConventions['archivedValues'],
): string => archivedWords[values][isWanted ? 0 : 1]!;

/**
 * The query as it is sent: conditions have become the filter text, and a date or a truth value is written as the
 * service reads it, dates in UTC. Any other text is sent as it is, and so is a date that is written like that already.
 * @throws Failure for a condition that cannot be written
 */
export function queryToSend(
	query: ListQuery,
	columns: readonly ScalarField[],
	conventions: ServiceConventions,
): IDataObject {
	const { changesSinceFormat: format, archivedValues } = conventions;
	const { conditions, ...sent } = query;
	delete sent.filterBy;
	const { changesSince: since, showArchived: archived } = sent;
	if (conditions) sent.filter = filterTextOf(conditions, columns, conventions);
	const isAsWritten = format === 'iso' && since?.endsWith('Z');
	if (since !== undefined && !isAsWritten && isPointInTime(since)) {
		sent.changesSince = formatDate(new Date(since), format);
	}
	if (archived === 'true' || archived === 'false') {
		sent.showArchived = formatArchived(archived === 'true', archivedValues);
	}
	return sent;
}

/** What to do when the service refuses a filter (400), by how it was written. */
export const filterAdvice: Partial<Record<NonNullable<ListQuery['filterBy']>, string>> = {
	text: `A filter is written as field, operator, value: city eq "Springfield" and state ne "CA". The service names the operators eq, ne, ge, gt, le and lt; quotes and 'and' are an assumption.`,
	conditions:
		"Run Agency Records Check to find the right 'Filter Syntax' and 'Numbers in Filters' for the credential. Or set 'Filter' to 'Text' and write the filter as the service owner says.",
};
