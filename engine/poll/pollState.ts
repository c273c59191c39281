// Keeps the trigger's state from poll to poll, in n8n's static data of its node. When items are given to an
// execution, n8n saves the static data and creates the execution side by side, so that a crash may keep the one and
// lose the other. Therefore the items given last are kept too, and the next process of n8n gives them again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../http/json';
import type { PollState } from './merge';
import { pollFailure } from './pollFailure';

/**
 * What is in the static data: `rows` and `cursor` as in a PollState, the basis that they belong to (list, filters, way of
 * detection and user of the service), the items delivered last, as JSON, and the process that delivered them. Workflows
 * are saved with these names. No value is an object: n8n watches every object in the static data, which takes time.
 */
const savedNames = ['basis', 'rows', 'cursor', 'delivered', 'deliveredBy'] as const;

type SavedState = Partial<Record<(typeof savedNames)[number], string>>;

/** Distinguishes this process from other processes, and from itself before a restart. */
const thisProcess = randomUUID();

/** The most characters of a snapshot: n8n writes all of it into its database each time items are given. */
export const maxStateCharacters = 10_000_000;

/** Fetched from n8n each time it is needed: with durable cursors it is another object in each poll. */
function savedStateOf(ctx: IPollFunctions): SavedState {
	const data: unknown = ctx.getWorkflowStaticData('node');
	if (isObject(data)) return data;
	throw pollFailure(
		"The node's static data in n8n is not an object, so the trigger cannot remember anything",
		'Replace the node with a copy of it.',
	);
}

/** Whether the types are ours, too: a person may have edited the static data. */
const belongsTo = (basis: string, saved: SavedState): boolean =>
	saved.basis === basis &&
	saved.rows !== undefined &&
	savedNames.every((name) => ['string', 'undefined'].includes(typeof saved[name]));

/**
 * Loads the state of a basis: none before the first poll, nor where the trigger starts over, since what is saved cannot be
 * continued. The items that an earlier process has delivered last are to be repeated, once: nobody knows whether they
 * reached an execution.
 */
export function loadState(ctx: IPollFunctions, basis: string) {
	const saved = savedStateOf(ctx);
	if (!belongsTo(basis, saved)) return { startsOver: saved.basis !== undefined };
	const { rows = '', cursor, delivered, deliveredBy } = saved;
	const state = { rows, cursor };
	if (delivered === undefined || deliveredBy === thisProcess) return { state };
	saved.deliveredBy = thisProcess;
	return { state, itemsToRepeat: [parseJson(delivered) ?? []].flat() as IDataObject[] };
}

/**
 * Replaces the state. If this poll gives no items to an execution, n8n does not save the new state: it is lost when
 * the process ends, which does no harm, since the older state finds the same changes again.
 * @param items given to an execution now, and given again after a restart
 * @throws Failure when the snapshot is too large; then the state stays as it is
 */
export function saveState(
	ctx: IPollFunctions,
	basis: string,
	{ rows, cursor }: PollState,
	items: readonly IDataObject[],
): void {
	if (rows.length > maxStateCharacters) {
		throw pollFailure(
			`The list is too long for the trigger: it has ${rows.length} characters, and the trigger can remember ${maxStateCharacters}`,
			"Add a filter, or choose a 'Detect By' that asks the service only for changes.",
		);
	}
	const saved = savedStateOf(ctx);
	if (items.length > 0) {
		Object.assign(saved, { delivered: JSON.stringify(items), deliveredBy: thisProcess });
	} else if (!belongsTo(basis, saved)) {
		// What was delivered of another list is not delivered again.
		Object.assign(saved, { delivered: undefined, deliveredBy: undefined });
	}
	Object.assign(saved, { basis, rows, cursor });
}
