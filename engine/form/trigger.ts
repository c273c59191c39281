// What the trigger's form adds to that of a list: which changes of its rows count.
import { choices, isDocumented, type ListOperation, type Operation } from '../area';
import { choiceList, choicesOf } from './labels';

export const triggerOn = choices('triggerOn', {
	choices: choiceList({
		added: ['Row Added', 'A row that was not there before'],
		changed: ['Row Changed', 'A row with the same ID has other values'],
		removed: ['Row Removed', 'A row is no longer in the list'],
	}),
	default: ['added'],
	required: true,
	noDataExpression: true,
});

export type KindOfChange = (typeof triggerOn)['choices'][number]['value'];

/** Whether rows of the list have an ID. Without one, a row with changed values counts as another row. */
export const hasRowId = (operation: Operation): boolean =>
	('idField' in operation && operation.idField !== undefined) || !isDocumented(operation);

export const onlyFields = choices('onlyFields', {
	label: 'Only When These Fields Change',
	default: [] as readonly string[],
	displayedWhen: { triggerOn: ['changed'] },
	description: "Fields of a row that count for 'Row Changed'; all if you choose none",
});

/** Its choices are the columns of the watched list; if these are unknown, a person names them. */
export function onlyFieldsOf(list: ListOperation) {
	if (!isDocumented(list)) return { type: 'textList', default: undefined, entryLabel: 'Field' };
	// The others cannot be updated.
	const others = ['rowNum', 'rowVersion', list.idField];
	return { choices: choicesOf(list.columns.filter(({ name }) => !others.includes(name))) };
}
