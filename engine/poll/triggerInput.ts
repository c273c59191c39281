// The trigger's form → the list it watches, and checked values.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import {
	triggerDefaults,
	triggerLayout,
	type TriggerSettings,
	type WatchedList,
} from '../form/trigger';
import { invalidItem } from '../items/errors';
import { ConstantGroups } from '../values/group';
import { readItem, type ItemValues } from '../values/item';
import { inputHint } from '../values/inputRemarks';
import { shownValue } from '../values/scalars';

export interface TriggerInput {
	watched: WatchedList;
	/** Which of its rows. */
	filters: ItemValues['query'];
	settings: TriggerSettings;
}

/**
 * @param lists those of the node
 * @throws Failure naming all values that do not fit; also those of expressions that give nothing, since a trigger
 * has no place for a hint
 */
export function readTriggerForm(ctx: IPollFunctions, lists: readonly WatchedList[]): TriggerInput {
	const resource = ctx.getNodeParameter('resource');
	const watched = lists.find(({ name }) => name === resource);
	if (!watched) {
		throw new Failure(`This node has no resource ${shownValue(resource)}`, 'notSent', {
			advice: "Choose 'Resource' from its list.",
		});
	}
	const { values, problems, remarks } = readItem(triggerLayout(watched.operation), {
		parameter: (name) => ctx.getNodeParameter(name, null) as unknown,
		json: {},
		timeZone: ctx.getTimezone(),
		constantGroups: new ConstantGroups(ctx.getNode().parameters as IDataObject),
	});
	if (problems.length > 0) throw invalidItem(problems);
	const nothing = inputHint([remarks], 1, []);
	if (nothing !== undefined) throw new Failure(nothing, 'notSent');
	// The types are those of the tables, by which each value was checked.
	const settings = { ...triggerDefaults, ...values.settings } as TriggerSettings;
	return { watched, filters: values.query, settings };
}
