// The list parameters of the API spec that choose rows.
import { boolean, dateTime, text, type ValuesOf } from '../area';

/** Once added, a filter needs a value: without one, the service would return unwanted rows. */
const required = true;

export const filter = text('filter', {
	required,
	description:
		'Filter on any updatable field with the operators eq, ne, ge, gt, le and lt. Sent as is: ask the service owner for the syntax.',
	example: 'city eq "Springfield"',
});

/** The list parameter that chooses rows by their state. */
export const showArchived = boolean('showArchived', {
	required,
	description: 'Whether to include archived items',
});

export const listFilters = [
	dateTime('changesSince', {
		required,
		inUtc: true,
		description: "Return items changed since this date, in the workflow's time zone by default",
		example: '2026-03-01T00:00:00',
	}),
	filter,
	text('rowVersion', {
		required,
		description: "Return rows changed since this version (rows have it when 'Output' is 'Raw')",
		example: '00000000000007D1',
	}),
	showArchived,
];

/** A list's query, as it is on the form. */
export type ListQuery = ValuesOf<typeof listFilters>;
