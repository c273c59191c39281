// The form of the trigger: which list is watched, what counts as a change, and how changes are detected.
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	choice,
	choices,
	integer,
	namesOf,
	type Area,
	type Choice,
	type ListOperation,
	type ScalarField,
	type ValuesOf,
} from '../area';
import { showArchived } from './filter';
import { groupProperties, notice } from './form';
import { inputsOf } from './inputs';
import { filterGroups, optionsCollection, collectionGroup, type Layout } from './layout';
import { listOptions, rowOutput } from './listSettings';
import { parallelRequests, retrySettings, type Settings } from './settings';

const kindsOfChange = [
	{ value: 'added', name: 'Row Added', description: 'A row that was not there before' },
	{ value: 'changed', name: 'Row Changed', description: 'A row with the same ID has other values' },
	{ value: 'removed', name: 'Row Removed', description: 'A row is no longer in the list' },
] as const;

const detectBy = choice(
	'detectBy',
	[
		{
			value: 'fullComparison',
			name: 'Full Comparison',
			description: 'Reads the whole list and compares it with that of the last poll',
		},
		{
			value: 'changesSince',
			name: 'Changes Since',
			description: 'Asks the service which rows have changed since the last poll',
		},
		{
			value: 'rowVersion',
			name: 'Row Version',
			description:
				'Asks the service which rows have changed since the version of a row that was read before',
		},
	],
	{
		default: 'fullComparison',
		required: true,
		noDataExpression: true,
		description:
			"How changes are found. Full Comparison works whatever the service's parameters mean; the others ask the service for fewer rows.",
	},
);

const triggerOn = choices('triggerOn', {
	choices: kindsOfChange,
	default: kindsOfChange.map(({ value }) => value),
	required: true,
	description: 'Which changes start the workflow',
});

const overlap = integer('overlap', {
	label: 'Overlap (Minutes)',
	min: 0,
	max: 1440,
	default: 10,
	required: true,
	displayedWhen: { detectBy: ['changesSince'] },
	description:
		"How many minutes before the last poll each poll asks for, because the service's clock may be behind. Rows that were already given are not given again.",
});

const startFrom = choice(
	'startFrom',
	[
		{ value: 'now', name: 'Now', description: 'Only changes from now on' },
		{ value: 'everything', name: 'Everything', description: 'All rows of the list, as added' },
	],
	{
		default: 'now',
		required: true,
		description: 'Which rows the first activation gives',
	},
);

const maxItems = integer('maxItems', {
	min: 1,
	max: 10_000,
	default: 1000,
	description:
		'The largest number of changes in one execution. Further changes follow with the next polls.',
});

const afterRestart = choice(
	'afterRestart',
	[
		{ value: 'repeat', name: 'Repeat the Last Items' },
		{ value: 'nothing', name: 'Do Nothing' },
	],
	{
		label: 'After a Restart',
		default: 'repeat',
		description:
			"What to do when n8n was restarted: a crash may have lost the items that were given last. Repeated items have 'repeated' set to true. With n8n's durable cursors nothing is lost, and nothing needs to be repeated.",
	},
);

const manyRemoved = choice(
	'manyRemoved',
	[
		{ value: 'confirm', name: 'Wait for a Second Poll' },
		{ value: 'believe', name: 'Give Immediately' },
	],
	{
		label: 'When Many Are Removed',
		default: 'confirm',
		description:
			'What to do when more than 10 rows, and more than a tenth of the list, are missing at once: a service that is in trouble may send an empty or shortened list. When the next poll misses them too, they are removed.',
	},
);

const allTriggerSettings = [
	detectBy,
	triggerOn,
	overlap,
	startFrom,
	maxItems,
	afterRestart,
	manyRemoved,
];

export type KindOfChange = (typeof kindsOfChange)[number]['value'];

/** All settings of the trigger and of its list, checked. */
export type TriggerSettings = Settings &
	Omit<ValuesOf<typeof allTriggerSettings>, 'triggerOn'> & { triggerOn: readonly KindOfChange[] };

/** The settings that the form starts with; those that it does not show have these values too. */
export const triggerDefaults: Readonly<IDataObject> = Object.fromEntries(
	allTriggerSettings.map((field) => [field.name, field.default]),
);

const withChoices = <Field extends ScalarField>(
	field: Field,
	isOffered: (choice: Choice) => boolean,
): Field => ({
	...field,
	choices: field.choices?.filter(isOffered),
});

/** The kinds of change that can be detected in a list. Without an ID, a row with other values is another row. */
const detectableKinds = ({ idField }: ListOperation) =>
	withChoices(
		{ ...triggerOn, default: triggerOn.default.filter((kind) => kind !== 'changed' || idField) },
		({ value }) => value !== 'changed' || idField !== undefined,
	);

function watchedFields(operation: ListOperation): ScalarField[] {
	const kinds = detectableKinds(operation);
	if (!operation.paged) return [kinds, startFrom];
	const hasVersion = namesOf(operation.columns).includes('rowVersion');
	return [
		withChoices(detectBy, ({ value }) => value !== 'rowVersion' || hasVersion),
		{ ...kinds, displayedWhen: { detectBy: ['fullComparison'] } },
		overlap,
		startFrom,
	];
}

/** The groups of the trigger's fields for a list, in the order of the form. */
export const triggerLayout = (operation: ListOperation): Layout => ({
	groups: [
		{ destination: 'settings', fields: watchedFields(operation) },
		...filterGroups(operation, [showArchived]),
		{ destination: 'settings', fields: rowOutput(namesOf(operation.columns)) },
		collectionGroup('settings', optionsCollection, [
			...listOptions.filter(({ name }) => name === 'pageSize' && operation.paged),
			maxItems,
			afterRestart,
			manyRemoved,
			parallelRequests,
			...retrySettings,
		]),
	],
});

const addedOrChangedNotice =
	"The service does not say whether a row was added or changed: each item says 'addedOrChanged'. Removed rows are not noticed.";

/** A list that can be watched. */
export interface WatchedList {
	/** n8n's value of the resource. */
	name: string;
	/** Title Case, singular. */
	label: string;
	operation: ListOperation;
}

/**
 * The list of an area that the trigger can watch.
 * @param names replace the area's own where these are not clear among the lists of other areas
 * @throws Error when the area has no list
 */
export function watchedListOf(
	{ resources }: Area,
	names: Partial<Omit<WatchedList, 'operation'>> = {},
): WatchedList {
	for (const { name, label, operations } of resources) {
		const operation = operations.find(({ kind }) => kind === 'list');
		if (operation?.kind === 'list') return { name, label, operation, ...names };
	}
	throw new Error('The area has no list');
}

function listProperties({ name, operation }: WatchedList): INodeProperties[] {
	const show = { resource: [name] };
	const [first, ...others] = triggerLayout(operation).groups;
	const hints = operation.paged
		? [
				notice('unsortedNotice', addedOrChangedNotice, {
					...show,
					detectBy: ['changesSince', 'rowVersion'],
				}),
			]
		: [];
	return [
		...groupProperties(first!, show),
		...hints,
		...others.flatMap((group) => groupProperties(group, show)),
	];
}

/** The `properties` of the trigger: Resource, then the fields of each list. */
export const triggerProperties = (lists: readonly WatchedList[]): INodeProperties[] => [
	...inputsOf(
		choice(
			'resource',
			lists.map(({ name, label }) => ({ value: name, name: label })),
			{ noDataExpression: true, description: 'The list that is watched' },
		),
	),
	...lists.flatMap(listProperties),
];
