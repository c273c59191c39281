// The list parameter `filter`: raw text, or conditions chosen on the form.
import type { IDataObject } from 'n8n-workflow';

import { text, type ScalarField } from '../area';

/** The operators of the interface ("List query parameters"), with the words of the form. */
export const filterOperators: ReadonlyArray<{ value: string; name: string }> = [
	{ value: 'eq', name: 'Equals' },
	{ value: 'gt', name: 'Greater Than' },
	{ value: 'ge', name: 'Greater Than or Equal' },
	{ value: 'lt', name: 'Less Than' },
	{ value: 'le', name: 'Less Than or Equal' },
	{ value: 'ne', name: 'Not Equal' },
];

export interface Condition {
	field: string;
	operator: string;
	value?: string;
}

/**
 * The interface names only the operators; `field op "value"` and the joining `and` are an assumption that
 * raw text overrides.
 */
export const filterText = (conditions: readonly Condition[]): string =>
	conditions
		.map(({ field, operator, value = '' }) => {
			const quoted = value.replace(/[\\"]/g, '\\$&');
			return `${field} ${operator} "${quoted}"`;
		})
		.join(' and ');

/** The list parameters of the interface that choose rows. */
export const listFilters: readonly ScalarField[] = [
	text('changesSince', {
		description:
			'Return items changed since this date. The service does not say which formats it reads; a date object from an expression is sent as ISO 8601.',
		placeholder: 'e.g. 2026-03-01T00:00:00Z',
	}),
	text('filter', {
		label: 'Filter (Raw Text)',
		description:
			'Filter on any updatable field with the operators eq, ne, ge, gt, le and lt. The text is sent as it is, instead of the conditions.',
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

/**
 * @param query the list's query as the form gave it, `conditions` among it
 * @returns the query as it is sent
 */
export function withFilter({ conditions, ...query }: IDataObject): IDataObject {
	const chosen = (conditions ?? []) as unknown as Condition[];
	if (chosen.length === 0 || query.filter) return query;
	return { ...query, filter: filterText(chosen) };
}
