// Fields that the tables of several areas have in common.
import { integer, text } from '../engine/area';

/** The required ID (a whole number) of a record that no operation in the API spec lists. */
export const unlistedId = (
	name: string,
	description: string,
	attributes: { label?: string; example?: number } = {},
) =>
	integer(name, {
		min: 1,
		required: true,
		example: 101,
		description: `${description}. Find it in the agency's records system; no operation of these nodes lists it.`,
		...attributes,
	});

/** The field that numbers the rows of a list. */
export const rowNumber = integer('rowNum', { label: 'Row Number' });

/**
 * The field `op` of bulk patches. The API spec does not list its values, in any area. The default comes from its only
 * published example, and is the safer choice: replacing may remove something.
 */
export const patchOperation = text('op', {
	label: 'Patch Operation',
	default: 'add',
	required: true,
	example: 'add',
	choices: [
		{ value: 'add', name: 'Add' },
		{ value: 'replace', name: 'Replace' },
	],
	description:
		"What the patch does, sent as 'op'. The allowed values are not documented: use an expression to send any other.",
});
