// Turns changes of a list into the items that the trigger gives to an execution.
import type { IDataObject } from 'n8n-workflow';

import type { TriggerSettings } from '../form/trigger';
import { rowShape } from '../kinds/list/rowShape';
import type { RowChange } from './snapshot';

/**
 * The most characters, as JSON, of the items given to one execution; the last item may go beyond it. All of them are
 * kept in n8n's static data, to be given again after a restart.
 */
const maxGivenCharacters = 4_000_000;

/**
 * @param marks what else is said of the change
 * @returns the row as the setting 'Output' says, with the kind of its change; of a removed row only its identity
 */
export function changeItem(
	{ kind, row }: Pick<RowChange, 'kind' | 'row'>,
	settings: TriggerSettings,
	marks: IDataObject = {},
): IDataObject {
	const changeType = settings.detectBy === 'changesSince' ? 'addedOrChanged' : kind;
	const change = { changeType, ...marks };
	const fields = kind === 'removed' ? row : rowShape(settings)(row);
	// Spread first so that people see it first, and last so that no field of the row replaces it.
	return { ...change, ...fields, ...change };
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
