// The form of the trigger: which list is watched, and what counts as a change.
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	choices,
	defaultsOf,
	integer,
	type ListOperation,
	type Resource,
	type ScalarField,
	type ValuesOf,
} from '../area';
import { filter, showArchived } from './filter';
import { dropdowns, groupProperties } from './form';
import { choiceList, choicesOf } from './labels';
import {
	listParameters,
	optionsCollection,
	rowGroups,
	updatableColumns,
	type Layout,
} from './layout';
import { additionalFields, sendingOptions, type Settings } from './settings';

const triggerOn = choices('triggerOn', {
	choices: choiceList({
		added: ['Row Added', 'A row that was not there before'],
		changed: ['Row Changed', 'A row with the same ID has other values'],
		removed: ['Row Removed', 'A row is no longer in the list'],
	}),
	default: ['added', 'changed', 'removed'],
	required: true,
});

/** Their choices are the columns of the watched list. */
const onlyFields = choices('onlyFields', {
	label: 'Only When These Fields Change',
	default: [] as readonly string[],
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

function watchedFields(operation: ListOperation): ScalarField[] {
	const hasId = operation.idField !== undefined;
	// Without an ID, a row with other values is another row.
	const isDetectable = (kind: string) => hasId || kind !== 'changed';
	const detectable: ScalarField = {
		...triggerOn,
		choices: triggerOn.choices.filter(({ value }) => isDetectable(value)),
		default: triggerOn.default.filter(isDetectable),
	};
	const columns = { ...onlyFields, choices: choicesOf(updatableColumns(operation)) };
	return hasId ? [detectable, columns] : [detectable];
}

/** The groups of the trigger's fields for a list, in the order of the form. */
export const triggerLayout = (operation: ListOperation): Layout => ({
	groups: [
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

/** The `properties` of the trigger: Resource, then the fields of each list. */
export const triggerProperties = (lists: readonly WatchedList[]): INodeProperties[] => [
	...dropdowns(lists),
	...lists.flatMap(({ name, operation }) =>
		triggerLayout(operation).groups.flatMap((group) =>
			groupProperties(group, { resource: [name] }),
		),
	),
];
