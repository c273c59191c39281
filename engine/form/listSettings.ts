// The settings of a list: how many of its rows to read, and which fields of each to return.
import { boolean, choice, choices, integer, type ScalarField } from '../area';
import { choicesOf } from './labels';

/** How many rows to return. */
export const listInputs = [
	boolean('returnAll', {
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	integer('limit', {
		min: 1,
		default: 50,
		required: true,
		displayedWhen: { returnAll: [false] },
		description: 'Max number of results to return',
	}),
];

const outputSetting = choice(
	'output',
	[
		{
			value: 'simplified',
			name: 'Simplified',
			description: "The record, without the row's number and version",
		},
		{ value: 'raw', name: 'Raw', description: 'All that the service sends' },
		{ value: 'selected', name: 'Selected Fields' },
	],
	{
		default: 'simplified',
		noDataExpression: true,
		description:
			'Which fields each item has. The version of a row can be used as ETag and in filters.',
	},
);

const outputFields = choices('outputFields', {
	label: 'Fields to Return',
	required: true,
	displayedWhen: { output: ['selected'] },
	description: 'Fields of each row to return',
});

export const listOutput = [outputSetting, outputFields];

/**
 * Which fields of each row are returned.
 * @param columns all fields of a row
 */
export const rowOutput = (columns: readonly string[]): ScalarField[] => [
	outputSetting,
	{ ...outputFields, choices: choicesOf(columns) },
];

/** How the rows are requested. */
export const listOptions = [
	integer('offset', { min: 0, default: 0, description: 'Number of items to skip' }),
	integer('pageSize', {
		min: 1,
		required: true,
		example: 100,
		description:
			"Number of items to ask for in one request, instead of the credential's 'Usual Page Size'. The service does not state its maximum; if it sends fewer, the next request continues after them.",
	}),
];
