// Reads and checks the trigger's form: which list it watches, with which filters and settings.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import {
	triggerDefaults,
	triggerLayout,
	type TriggerSettings,
	type WatchedList,
} from '../form/trigger';
import { invalidItems } from '../items/errors';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { readItem, type ItemValues } from '../values/item';
import { inputHint } from '../values/inputHints';
import { formatValue } from '../values/scalars';

export interface TriggerInput {
	watchedList: WatchedList;
	/** Which rows of the list are watched. */
	filters: ItemValues['query'];
	/** What of the saved form chooses the rows, with the text of an expression. */
	savedFilters: unknown;
	settings: TriggerSettings;
}

/**
 * @param lists the lists that the node can watch
 * @throws Failure that names all values that do not fit. An expression that gives nothing is such a value too: a
 * trigger has no place for a hint.
 */
export function readTriggerForm(ctx: IPollFunctions, lists: readonly WatchedList[]): TriggerInput {
	const resource = ctx.getNodeParameter('resource');
	const watchedList = lists.find(({ name }) => name === resource);
	if (!watchedList) {
		throw new Failure(`This node has no resource ${formatValue(resource)}`, 'notSent', {
			advice: "Choose 'Resource' from its list.",
		});
	}
	const saved = ctx.getNode().parameters as IDataObject;
	const { filters, options } = saved;
	const { values, problems, inputHints } = readItem(triggerLayout(watchedList.operation), {
		parameter: (name) => ctx.getNodeParameter(name, null) as unknown,
		json: {},
		timeZone: ctx.getTimezone(),
		form: new SavedForm(saved),
	});
	if (problems.length > 0) throw invalidItems(new Map([[0, problems]])).get(0)!;
	const hintText = inputHint(new Map([[0, inputHints]]), 1, ctx.getTimezone());
	if (hintText !== undefined) throw new Failure(hintText, 'notSent');
	return {
		watchedList,
		filters: values.query,
		savedFilters: [filters, objectOrEmpty(options).additionalFields],
		// The types are those of the tables, by which each value was checked.
		settings: { ...triggerDefaults, ...values.settings } as TriggerSettings,
	};
}
