// Turns changes of a list into the items that the trigger gives to an execution.
import type { IDataObject } from 'n8n-workflow';

import type { TriggerSettings } from '../form/trigger';
import { shapedRows } from '../kinds/list/shapedRows';
import type { RowChange } from './snapshot';

/**
 * The most characters, as JSON, of the items given to one execution; the last item may go beyond it. All of them are
 * kept in n8n's static data, to be given again after a restart.
 */
const maxGivenCharacters = 4_000_000;

/**
 * @param knowsKindOfChange whether it is known that the row was added, or that it was changed
 * @returns the row as the setting 'Output' says, with the kind of its change; of a removed row only its identity
 */
export function changeItem(
	{ kind, row }: Pick<RowChange, 'kind' | 'row'>,
	settings: TriggerSettings,
	knowsKindOfChange: boolean,
): IDataObject {
	const changeType = { changeType: knowsKindOfChange ? kind : 'addedOrChanged' };
	const [fields] = kind === 'removed' ? [row] : shapedRows([row], settings);
	// Spread first so that people see it first, and last so that no field of the row replaces it.
	return { ...changeType, ...fields, ...changeType };
}

/** @returns how many of the items, from the first on, may be given at once: at least one, if there are any */
export function portionSize(items: readonly IDataObject[], maxItems: number): number {
	let count = 0;
	let characters = 0;
	while (count < Math.min(items.length, maxItems) && characters < maxGivenCharacters) {
		characters += JSON.stringify(items[count++]).length;
	}
	return count;
}
