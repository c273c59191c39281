// The list parameter `filter`: raw text, or conditions chosen on the form.
import type { IDataObject } from 'n8n-workflow';

import { choice, objects, text, type ObjectsField, type ValuesOf } from '../area';
import { humanize } from './labels';

/** The operators of the interface ("List query parameters"), with the words of the form. */
const filterOperators = [
	{ value: 'eq', name: 'Equals' },
	{ value: 'gt', name: 'Greater Than' },
	{ value: 'ge', name: 'Greater Than or Equal' },
	{ value: 'lt', name: 'Less Than' },
	{ value: 'le', name: 'Less Than or Equal' },
	{ value: 'ne', name: 'Not Equal' },
] as const;

/** What the conditions of a filter may name: the list's own columns. */
export const conditions = (columns: readonly string[]): ObjectsField =>
	objects(
		'conditions',
		[
			choice(
				'field',
				columns.map((value) => ({ value, name: humanize(value) })),
				{ default: columns[0], required: true },
			),
			choice('operator', filterOperators, { default: 'eq', required: true }),
			text('value', { required: true }),
		],
		{
			label: 'Filter Conditions',
			entry: 'Condition',
			description:
				'Conditions that must all hold. How the service joins them is an assumption; Filter (Raw Text) can be used instead.',
		},
	);

export interface Condition {
	field: string;
	operator: string;
	value: string;
}

/**
 * The interface names only the operators; `field op "value"` and the joining `and` are an assumption: raw text
 * can be sent instead.
 */
export const filterText = (chosen: readonly Condition[]): string =>
	chosen
		.map(({ field, operator, value }) => {
			const quoted = value.replace(/[\\"]/g, '\\$&');
			return `${field} ${operator} "${quoted}"`;
		})
		.join(' and ');

/** The list parameters of the interface that choose rows. */
export const listFilters = [
	text('changesSince', {
		description:
			'Return items changed since this date. The service does not say which formats it reads; a date object from an expression is sent as ISO 8601.',
		placeholder: 'e.g. 2026-03-01T00:00:00Z',
	}),
	text('filter', {
		label: 'Filter (Raw Text)',
		description:
			'Filter on any updatable field with the operators eq, ne, ge, gt, le and lt. The text is sent as it is; use it instead of Filter Conditions, not beside them.',
		placeholder: 'e.g. city eq "Springfield"',
	}),
	text('rowVersion', {
		description: 'Return resources changed since this version, as an earlier item gave it',
		placeholder: 'e.g. AAAAAAAAB9E=',
	}),
	text('showArchived', {
		description:
			'Whether archived items are included too. The service does not say which values it reads; the sandbox reads true and false.',
		placeholder: 'e.g. true',
	}),
];

/** The query of a list as the form gives it. */
export type ListQuery = ValuesOf<typeof listFilters> & { conditions?: readonly Condition[] };

/** Both ways to filter at once: which one counts would be a guess. */
export const filterClash = ({
	conditions: chosen = [],
	filter,
}: ListQuery): { label: string; text: string } | undefined =>
	chosen.length === 0 || !filter
		? undefined
		: {
				label: 'Filter (Raw Text)',
				text: "is given beside 'Filter Conditions', but only one of the two can be sent",
			};

/**
 * @param query without a clash
 * @returns the query as it is sent
 */
export const withFilter = ({ conditions: chosen = [], ...query }: ListQuery): IDataObject =>
	chosen.length === 0 ? query : { ...query, filter: filterText(chosen) };
