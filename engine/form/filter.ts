// The list parameters of the API spec that choose rows, and the query that they become.
import type { IDataObject } from 'n8n-workflow';

import { text, type ValuesOf } from '../area';
import { formatDate, type ServiceConventions } from './serviceConventions';

/** Once added, a filter must have a value: without it, the service would return rows that nobody wants. */
const required = true;

export const filter = text('filter', {
	required,
	description:
		'Filter on any updatable field with the operators eq, ne, ge, gt, le and lt. Sent as is: ask the service owner for the syntax.',
	example: 'city eq "Springfield"',
});

/** The list parameter that chooses rows by their state. */
export const showArchived = text('showArchived', {
	required,
	description:
		"Whether to include archived items. 'Archived Values' in the credential says what is sent for true and false; any other text is sent as is.",
	example: 'true',
});

export const listFilters = [
	text('changesSince', {
		required,
		isDate: true,
		description:
			"Return items changed since this date. A date from an expression, or text like the example, is written as 'Changes Since Format' in the credential says; any other text is sent as is.",
		example: '2026-03-01T00:00:00Z',
	}),
	filter,
	text('rowVersion', {
		required,
		description: "Return rows changed since this version (rows have it when 'Output' is 'Raw')",
		example: 'AAAAAAAAB9E=',
	}),
	showArchived,
];

/** The query of a list as it is on the form. */
export type ListQuery = ValuesOf<typeof listFilters>;

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
 * The query as it is sent: a date or a truth value is written as the service reads it, dates in UTC. Any other text is
 * sent as it is, and so is a date that is written like that already.
 */
export function queryToSend(query: ListQuery, conventions: ServiceConventions): IDataObject {
	const { changesSinceFormat: format, archivedValues } = conventions;
	const sent = { ...query };
	const { changesSince: since, showArchived: archived } = sent;
	const isAsWritten = format === 'iso' && since?.endsWith('Z');
	if (since !== undefined && !isAsWritten && isPointInTime(since)) {
		sent.changesSince = formatDate(new Date(since), format);
	}
	if (archived === 'true' || archived === 'false') {
		sent.showArchived = formatArchived(archived === 'true', archivedValues);
	}
	return sent;
}
