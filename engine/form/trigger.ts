// The form of the trigger: which list is watched, and what counts as a change.
import type { IDataObject } from 'n8n-workflow';

import {
	choices,
	defaultsOf,
	integer,
	isDocumented,
	type ListOperation,
	type Resource,
	type ScalarField,
	type ValuesOf,
} from '../area';
import { filter, showArchived } from './filter';
import { dropdowns, groupProperties, inputOf } from './form';
import { choiceList, choicesOf } from './labels';
import { listParameters, optionsCollection, rowGroups, type Layout } from './layout';
import { additionalFields, idField, rowsKey, sendingOptions, type Settings } from './settings';

const triggerOn = choices('triggerOn', {
	choices: choiceList({
		added: ['Row Added', 'A row that was not there before'],
		changed: ['Row Changed', 'A row with the same ID has other values'],
		removed: ['Row Removed', 'A row is no longer in the list'],
	}),
	default: ['added', 'changed', 'removed'],
	required: true,
	noDataExpression: true,
});

/** Of a list that the API spec does not show. */
const rowIdField: ScalarField = {
	...idField,
	example: 'incidentID',
	description: 'The name of the field that identifies a row, such as its ID',
};

/** Their choices are the columns of the watched list; where these are not known, a person names them. */
const onlyFields = choices('onlyFields', {
	label: 'Only When These Fields Change',
	default: [] as readonly string[],
	displayedWhen: { triggerOn: ['changed'] },
	description:
		"Fields of a row that count for 'Row Changed'; all if you choose none. If you choose some, each changed row lists in 'changedFields' which of them changed.",
});

const maxItems = integer('maxItems', {
	min: 1,
	max: 10_000,
	default: 1000,
	description:
		'Maximum number of changes in one execution. Further changes follow with the next polls.',
});

const triggerSettings = [triggerOn, onlyFields, maxItems];

export type KindOfChange = (typeof triggerOn)['choices'][number]['value'];

/** All settings of the trigger and of its list, checked. */
export type TriggerSettings = Settings & ValuesOf<typeof triggerSettings>;

/** The settings that the form starts with; those that it does not show have these values too. */
export const triggerDefaults: Readonly<IDataObject> = defaultsOf(triggerSettings);

/** Whether rows of the list have an ID, without which a row with other values is another row. */
export const hasRowId = (operation: ListOperation): boolean =>
	operation.idField !== undefined || !isDocumented(operation);

/** The fields that say which changes of a list's rows count. */
function watchedFields(operation: ListOperation): ScalarField[] {
	// The others cannot be updated.
	const ofRecord = operation.columns.filter(
		({ name }) => !['rowNum', 'rowVersion', operation.idField].includes(name),
	);
	const columns: ScalarField = isDocumented(operation)
		? { ...onlyFields, choices: choicesOf(ofRecord) }
		: { ...onlyFields, type: 'textList', default: undefined, entryLabel: 'Field' };
	return hasRowId(operation) ? [triggerOn, columns] : [triggerOn];
}

/** The groups of the trigger's fields for a list, in the order of the form. */
export const triggerLayout = (operation: ListOperation): Layout => ({
	groups: [
		{ destination: 'path', fields: operation.ids ?? [] },
		{ destination: 'settings', fields: isDocumented(operation) ? [] : [rowsKey, rowIdField] },
		{ destination: 'settings', fields: watchedFields(operation) },
		...rowGroups(operation, [filter, showArchived]),
		{
			destination: 'settings',
			fields: [maxItems, additionalFields, ...sendingOptions],
			collection: optionsCollection,
		},
	],
	requestFields: listParameters(operation),
});

/** A list that can be watched. */
export interface WatchedList extends Pick<Resource, 'name' | 'label'> {
	operation: ListOperation;
}

/**
 * The `properties` of the trigger: Resource, Trigger On, then the fields of each list. When a person chooses another
 * resource, n8n resets an input for several choices that is shown by it, so Trigger On is one input for all lists.
 * @param first the name of the list that a new trigger watches
 */
export const triggerProperties = (lists: readonly WatchedList[], first: string) => [
	...dropdowns(lists).map((dropdown) => ({ ...dropdown, default: first })),
	inputOf(triggerOn),
	...lists.flatMap(({ name: resource, operation }) =>
		triggerLayout(operation)
			.groups.flatMap((group) => groupProperties(group, { resource: [resource] }))
			.filter(({ name }) => name !== triggerOn.name),
	),
];
