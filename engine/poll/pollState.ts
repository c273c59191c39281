// Keeps what the trigger remembers from poll to poll, in n8n's static data of its node. When items are given to an
// execution, n8n saves the static data and creates the execution side by side, so that a crash may keep the one and
// lose the other. Therefore the items given last are kept too, and the next process of n8n gives them again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { readFailure } from '../failure';
import { parseJson } from '../http/json';

/**
 * What is in the static data: the source of the rows (a digest), a snapshot of the rows as executions were last told of
 * them, the items delivered last, as JSON, and the process that delivered them. Workflows are saved with these names. No
 * value is an object: n8n watches every object in the static data, which takes time.
 */
const savedNames = ['source', 'snapshot', 'delivered', 'deliveredBy'] as const;

type SavedState = Record<(typeof savedNames)[number], string>;

/** Distinguishes this process from other processes, and from itself before a restart. */
const thisProcess = randomUUID();

/** The most characters of a snapshot: n8n writes all of it into its database each time items are given. */
export const maxSnapshotCharacters = 10_000_000;

/** Fetched from n8n each time it is needed: with durable cursors it is another object in each poll. */
const staticDataOf = (ctx: IPollFunctions): Partial<SavedState> =>
	ctx.getWorkflowStaticData('node');

/** Whether it is complete, too: a person may have edited the static data. */
const isOf = (source: string, saved: Partial<SavedState>): saved is SavedState =>
	saved.source === source && savedNames.every((name) => typeof saved[name] === 'string');

/**
 * Loads what is remembered of a source: no snapshot before the first poll, nor where the trigger starts over, since
 * what is saved cannot be continued. The items that another process has delivered last are to be repeated, once:
 * nobody knows whether they reached an execution. They are forgotten then. Were they kept until something else is
 * delivered, each restart would repeat them, and processes that take turns would do nothing else.
 */
export function loadState(ctx: IPollFunctions, source: string) {
	const saved = staticDataOf(ctx);
	if (!isOf(source, saved)) return { startsOver: saved.source !== undefined, itemsToRepeat: [] };
	const { snapshot, delivered, deliveredBy } = saved;
	if (deliveredBy === thisProcess) return { snapshot, itemsToRepeat: [] };
	saved.delivered = '[]';
	return { snapshot, itemsToRepeat: [parseJson(delivered) ?? []].flat() as IDataObject[] };
}

/**
 * Replaces the state. If this poll gives no items to an execution, n8n does not save the new state: it is lost when
 * the process ends, which does no harm, since the older state finds the same changes again.
 * @param items given to an execution now, and given again after a restart
 * @throws Failure when the snapshot is too large; then the state stays as it is
 */
export function saveState(
	ctx: IPollFunctions,
	source: string,
	snapshot: string,
	items: readonly IDataObject[],
): void {
	if (snapshot.length > maxSnapshotCharacters)
		throw readFailure(
			`The list is too long for the trigger: it has ${snapshot.length} characters, and the trigger can remember ${maxSnapshotCharacters}`,
			'Add a filter.',
		);
	const saved = staticDataOf(ctx);
	// Items delivered from another source are not delivered again.
	const isDelivery = items.length > 0 || !isOf(source, saved);
	const delivery = { delivered: JSON.stringify(items), deliveredBy: thisProcess };
	Object.assign(saved, { source, snapshot }, isDelivery && delivery);
}
