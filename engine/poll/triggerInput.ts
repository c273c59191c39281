// Reads and checks the trigger's form: which list it watches, with which filters and settings.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { WatchedList } from '../area';
import { Failure } from '../failure';
import { noSuchChoice } from '../form/form';
import { layoutOf } from '../form/layout';
import { hasRowId } from '../form/trigger';
import { invalidItem } from '../items/errors';
import { timeZoneOf } from '../n8n';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { readItem } from '../values/item';
import { inputHint } from '../values/inputHints';

/** The path is that of a list that the API spec does not show; the query says which rows are watched. */
export type TriggerInput = ReturnType<typeof readTriggerForm>;

const changeWithoutId =
	"Rows of this list have no ID, so 'Row Changed' never happens. Choose 'Row Added' or 'Row Removed' under 'Trigger On': an edited row counts as one of each.";

/**
 * @param lists the lists that the node can watch
 * @throws Failure that names all values that do not fit. An expression that gives nothing is such a value too: a
 * trigger has no place for a hint.
 */
export function readTriggerForm(ctx: IPollFunctions, lists: readonly WatchedList[]) {
	const resource = ctx.getNodeParameter('resource');
	const watchedList = lists.find(({ name }) => name === resource);
	if (!watchedList) throw noSuchChoice('resource', resource, lists);
	const form = new SavedForm(ctx.getNode().parameters as IDataObject);
	const layout = layoutOf(watchedList.operation);
	const { values, problems, inputHints } = readItem(layout, {
		parameter: (name) => ctx.getNodeParameter(name, null) as unknown,
		json: {},
		timeZone: timeZoneOf(ctx),
		form,
	});
	if (problems.length > 0) throw invalidItem(problems);
	const hintText = inputHint(new Map([[0, inputHints]]), 1, timeZoneOf(ctx));
	if (hintText !== undefined) throw new Failure(hintText, 'notSent');
	const { settings } = values;
	const { idField = watchedList.operation.idField, rowsKey, onlyFields, triggerOn } = settings;
	if (!hasRowId(watchedList.operation) && triggerOn.every((kind) => kind === 'changed'))
		throw new Failure(changeWithoutId, 'notSent');
	const choosingGroups = layout.groups.filter(({ destination }) => destination !== 'settings');
	const savedInputs = choosingGroups.map((group) => form.savedOf(group));
	const { additionalFields } = objectOrEmpty(form.parameters.options);
	// What has to be the same for two polls to be compared. Path and filters count as they are saved: the value of an
	// expression such as `$now` is another in each poll.
	const source = [watchedList.name, savedInputs, additionalFields, idField, rowsKey, onlyFields];
	const operation = { ...watchedList.operation, idField };
	return { ...values, source, watchedList: { ...watchedList, operation } };
}
