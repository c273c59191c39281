// Changes → the items that are given to an execution.
import type { IDataObject } from 'n8n-workflow';

import type { TriggerSettings } from '../form/trigger';
import { shapedRows } from '../kinds/list/shapedRows';
import type { RowChange } from './snapshot';

/** Characters of items that are given at once, but for the last of them: all are kept for a restart. */
const maxGivenCharacters = 4_000_000;

/**
 * @param tellsKinds whether it is known which of added and changed it was
 * @returns the row, by the setting 'Output', with what became of it; of a removed one what it was known by
 */
export function changeItem(
	{ kind, row }: Pick<RowChange, 'kind' | 'row'>,
	settings: TriggerSettings,
	tellsKinds: boolean,
): IDataObject {
	const event = { changeType: tellsKinds ? kind : 'addedOrChanged' };
	const [shown] = kind === 'removed' ? [row] : shapedRows([row], settings);
	// First for people to see, and last to count.
	return { ...event, ...shown, ...event };
}

/** @returns how many of the items may be given at once: one or more, if there are any */
export function portionSize(items: readonly IDataObject[], most: number): number {
	let count = 0;
	let characters = 0;
	while (count < Math.min(items.length, most) && characters < maxGivenCharacters) {
		characters += JSON.stringify(items[count++]).length;
	}
	return count;
}
