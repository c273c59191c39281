// The fields that choose the rows of a list (conditions on the form, a filter text, the other list parameters), and
// the query that they become.
import type { IDataObject } from 'n8n-workflow';

import { choice, objects, text, type Field, type ObjectsField, type ValuesOf } from '../area';
import { choicesOf } from './labels';

/** The operators of the interface ("List query parameters"), with their labels on the form. */
const filterOperators = [
	{ value: 'eq', name: 'Equals' },
	{ value: 'gt', name: 'Greater Than' },
	{ value: 'ge', name: 'Greater Than or Equal' },
	{ value: 'lt', name: 'Less Than' },
	{ value: 'le', name: 'Less Than or Equal' },
	{ value: 'ne', name: 'Not Equal' },
] as const;

/** Conditions and a text cannot be combined, since it would be a guess which of them the service follows. */
const filterBy = choice(
	'filterBy',
	[
		{ value: 'none', name: 'None', description: 'All rows' },
		{ value: 'conditions', name: 'Conditions', description: 'Chosen on this form' },
		{ value: 'text', name: 'Text', description: "A filter text in the service's own syntax" },
	],
	{
		label: 'Filter',
		default: 'none',
		noDataExpression: true,
		description: 'Which rows the service returns',
	},
);

const conditions = (columns: readonly string[]): ObjectsField =>
	objects(
		'conditions',
		[
			choice('field', choicesOf(columns), {
				default: columns[0],
				required: true,
				description: 'Field of a row to compare',
			}),
			choice('operator', filterOperators, {
				default: 'eq',
				required: true,
				description: 'How the field is compared with the value',
			}),
			text('value', {
				required: true,
				description: 'What the field is compared with',
			}),
		],
		{
			entryLabel: 'Condition',
			required: true,
			displayedWhen: { filterBy: ['conditions'] },
			description:
				"Conditions that must all hold. How they are written for the service is an assumption; if it is refused, set 'Filter' to 'Text' and write the filter yourself.",
		},
	);

const filterText = text('filter', {
	label: 'Filter Text',
	required: true,
	example: 'city eq "Springfield"',
	displayedWhen: { filterBy: ['text'] },
	description:
		'Sent as it is. The service names the operators eq, ne, ge, gt, le and lt, and any updatable field may be compared.',
});

/**
 * The fields of the form that set the filter.
 * @param columns fields of a row that a filter may name
 */
export const rowFilter = (columns: readonly string[]): Field[] => [
	filterBy,
	conditions(columns),
	filterText,
];

/** The list parameter that chooses rows by their state. */
export const showArchived = text('showArchived', {
	description:
		'Whether archived items are included too. The service does not say which values it reads; the sandbox reads true and false.',
	example: 'true',
});

/** The list parameters of the interface, besides the filter, that choose rows. */
export const changeFilters = [
	text('changesSince', {
		description:
			'Return items changed since this date. The service does not say which formats it reads; a date object from an expression is sent as ISO 8601.',
		example: '2026-03-01T00:00:00Z',
	}),
	text('rowVersion', {
		description:
			"Return rows changed since this version. An earlier row has it when 'Output' is set to 'Raw'.",
		example: 'AAAAAAAAB9E=',
	}),
	showArchived,
];

interface Condition {
	field: string;
	operator: string;
	value: string;
}

/** The query of a list as it is on the form. */
export type ListQuery = ValuesOf<readonly [typeof filterText, ...typeof changeFilters]> & {
	filterBy?: 'none' | 'conditions' | 'text';
	conditions?: readonly Condition[];
};

/**
 * The conditions as a filter text. The interface names only the operators; `field op "value"` and the `and` between
 * two conditions are an assumption, so that the form also takes a text instead.
 */
export const filterTextOf = (selected: readonly Condition[]): string =>
	selected
		.map(({ field, operator, value }) => {
			const quoted = value.replace(/[\\"]/g, '\\$&');
			return `${field} ${operator} "${quoted}"`;
		})
		.join(' and ');

/** The query as it is sent: conditions have become the filter text. */
export function queryToSend({ conditions: selected, ...query }: ListQuery): IDataObject {
	delete query.filterBy;
	return selected ? { ...query, filter: filterTextOf(selected) } : query;
}

/** What to do when the service refuses a filter (400), by how it was written. */
export const filterAdvice: Partial<Record<NonNullable<ListQuery['filterBy']>, string>> = {
	text: `A filter is written as field, operator, value: city eq "Springfield" and state ne "CA". The service names the operators eq, ne, ge, gt, le and lt; quotes and 'and' are an assumption.`,
	conditions:
		"How the conditions are written for the service is an assumption: set 'Filter' to 'Text' and write the filter as the service's owner says.",
};
