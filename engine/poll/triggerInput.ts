// Reads and checks the trigger's form: which list it watches, with which filters and settings.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import {
	triggerDefaults,
	triggerLayout,
	type TriggerSettings,
	type WatchedList,
} from '../form/trigger';
import { parameterName } from '../form/labels';
import type { Layout } from '../form/layout';
import { invalidItem } from '../items/errors';
import { ConstantGroups, holdsExpression, objectOrEmpty } from '../values/formInputs';
import { readItem, type ItemValues } from '../values/item';
import { inputHint } from '../values/inputRemarks';
import { shownValue } from '../values/scalars';

export interface TriggerInput {
	watchedList: WatchedList;
	/** Which rows of the list are watched. */
	filters: ItemValues['query'];
	/**
	 * The same, with the text of an expression in the place of its value: `$now` has another value in each poll, and the
	 * filter is the same all the same.
	 */
	filtersAsWritten: IDataObject;
	settings: TriggerSettings;
}

function filtersAsWritten(
	{ groups }: Layout,
	filters: ItemValues['query'],
	saved: IDataObject,
): IDataObject {
	const inputs = groups.flatMap(({ collection, fields }) =>
		fields.map((field) => {
			const parameters = collection ? objectOrEmpty(saved[collection.name]) : saved;
			return [field.name, parameters[parameterName(field.name)]] as const;
		}),
	);
	const expressions = inputs.filter(
		([name, input]) => Object.hasOwn(filters, name) && holdsExpression(input),
	);
	return { ...filters, ...(Object.fromEntries(expressions) as IDataObject) } as IDataObject;
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
		throw new Failure(`This node has no resource ${shownValue(resource)}`, 'notSent', {
			advice: "Choose 'Resource' from its list.",
		});
	}
	const layout = triggerLayout(watchedList.operation);
	const saved = ctx.getNode().parameters as IDataObject;
	const { values, problems, remarks } = readItem(layout, {
		parameter: (name) => ctx.getNodeParameter(name, null) as unknown,
		json: {},
		timeZone: ctx.getTimezone(),
		constantGroups: new ConstantGroups(saved),
	});
	if (problems.length > 0) throw invalidItem(problems);
	const remarksText = inputHint([remarks], 1);
	if (remarksText !== undefined) throw new Failure(remarksText, 'notSent');
	// The types are those of the tables, by which each value was checked.
	const settings = { ...triggerDefaults, ...values.settings } as TriggerSettings;
	return {
		watchedList,
		filters: values.query,
		filtersAsWritten: filtersAsWritten(layout, values.query, saved),
		settings,
	};
}
