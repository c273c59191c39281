// Reads and checks the trigger's form: the list to watch, with its filters and settings.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { WatchedList } from '../area';
import { Failure } from '../failure';
import { noSuchChoice } from '../form/form';
import { layoutOf } from '../form/layout';
import { refuseMisplaced } from '../form/misplaced';
import { hasRowId } from '../form/trigger';
import { invalidItem } from '../items/errors';
import { timeZoneOf } from '../n8n';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { readItem } from '../values/item';
import { inputHint } from '../values/inputHints';

/**
 * The checked values of the trigger's form. `path` is set for an undocumented list; `query` selects the rows to watch.
 */
export type TriggerInput = ReturnType<typeof readTriggerForm>;

const changeWithoutId =
	"Rows of this list have no ID, so 'Row Changed' never happens. Choose 'Row Added' or 'Row Removed' under 'Trigger On': an edited row counts as one of each.";

/**
 * @param lists the lists that the node can watch
 * @throws Failure that names all invalid values. These include expressions that find nothing, because a trigger cannot
 * show a hint.
 */
export function readTriggerForm(ctx: IPollFunctions, lists: readonly WatchedList[]) {
	const resource = ctx.getNodeParameter('resource');
	const watchedList = lists.find(({ name }) => name === resource);
	if (!watchedList) throw noSuchChoice('resource', resource, lists);
	const form = new SavedForm(ctx.getNode().parameters as IDataObject);
	const parameter = (name: string) => ctx.getNodeParameter(name, null) as unknown;
	refuseMisplaced(watchedList.operation, form.parameters, parameter);
	const layout = layoutOf(watchedList.operation);
	const given = { parameter, json: {}, timeZone: timeZoneOf(ctx), form };
	const { values, problems, inputHints } = readItem(layout, given);
	if (problems.length > 0) throw invalidItem(problems);
	const hintText = inputHint([{ itemIndex: 0, inputHints }], 1, given.timeZone);
	if (hintText !== undefined) throw new Failure(hintText, 'notSent');
	const { settings } = values;
	const { idField = watchedList.operation.idField, rowsKey, onlyFields, triggerOn } = settings;
	if (!hasRowId(watchedList.operation) && triggerOn.every((kind) => kind === 'changed'))
		throw new Failure(changeWithoutId, 'notSent');
	const choosingGroups = layout.groups.filter(({ destination }) => destination !== 'settings');
	const savedInputs = choosingGroups.map((group) => form.savedOf(group));
	const { additionalFields } = objectOrEmpty(form.parameters.options);
	// Two polls can be compared only if all of these are equal. Path and filters count as saved, since the value of an
	// expression such as `$now` differs between polls.
	const source = [watchedList.name, savedInputs, additionalFields, idField, rowsKey, onlyFields];
	const operation = { ...watchedList.operation, idField };
	return { ...values, source, watchedList: { ...watchedList, operation } };
}
