// Keeps the trigger's state between polls in the node's static data. When items are delivered to an execution, n8n
// saves the static data and creates the execution independently, so a crash may keep one and lose the other, unless
// n8n's option for durable cursors is on (https://github.com/n8n-io/n8n/pull/35295). Therefore the last delivered items
// are kept, too, and the next process of n8n delivers them again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { readFailure } from '../failure';
import { parseJson } from '../http/json';

/**
 * The contents of the static data: the source of the rows (a digest), a snapshot of the rows as last reported to an
 * execution, the node's name, the last delivered items as JSON, and the process that delivered them. Saved workflows
 * contain these names. No value is an object: n8n wraps each one in a proxy, which takes time (n8n-workflow 2.41.0,
 * observable-object.ts).
 */
const savedNames = ['source', 'snapshot', 'name', 'delivered', 'deliveredBy'] as const;

type SavedState = Record<(typeof savedNames)[number], string>;

/** Distinguishes this process from other processes, and from itself before a restart. */
const thisProcess = randomUUID();

/** Maximum characters of a snapshot: n8n writes all of it to its database each time items are delivered. */
export const maxSnapshotCharacters = 10_000_000;

/**
 * The name of the state's copy in the static data of the workflow. n8n keeps a node's static data by its name, even of
 * a deleted node, and the copy is kept by its ID.
 */
const copyNameOf = (ctx: IPollFunctions): string => `agencyRecordsTrigger ${ctx.getNode().id}`;

/**
 * The saved state, or its copy if the node was renamed since. Fetched from n8n each time it is needed: with durable
 * cursors, each poll has a different object (n8n 2.41).
 */
function savedStateOf(ctx: IPollFunctions): Partial<SavedState> {
	const saved: Partial<SavedState> = ctx.getWorkflowStaticData('node');
	const copy = ctx.getWorkflowStaticData('global')[copyNameOf(ctx)] as typeof saved | undefined;
	return copy && copy.name !== ctx.getNode().name ? copy : saved;
}

/** Whether the saved state belongs to this source, and is complete: a person may have edited the static data. */
const isOf = (source: string, saved: Partial<SavedState>): saved is SavedState =>
	saved.source === source && savedNames.every((name) => typeof saved[name] === 'string');

/**
 * Loads the saved state of a source. There is no snapshot before the first poll, nor if the trigger starts over because
 * the saved state is another source's. If another process delivered the last items, they must be repeated once, since
 * nobody knows whether they reached an execution. They are then forgotten: if they were kept until the next delivery,
 * each restart would repeat them, and processes that take turns would do nothing else.
 */
export function loadState(ctx: IPollFunctions, source: string) {
	const saved = savedStateOf(ctx);
	if (!isOf(source, saved)) return { startsOver: saved.source !== undefined, itemsToRepeat: [] };
	const { snapshot, delivered, deliveredBy } = saved;
	if (deliveredBy === thisProcess) return { snapshot, itemsToRepeat: [] };
	saved.delivered = '[]';
	return { snapshot, itemsToRepeat: [parseJson(delivered) ?? []].flat() as IDataObject[] };
}

/**
 * Replaces the state. If this poll delivers no items, n8n does not save the new state, which is lost when the process
 * ends. That does no harm: with the older state, a poll finds the same changes again.
 * @param items delivered to an execution now, and again after a restart
 * @throws Failure if the snapshot is too large; then the state stays as is
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
	const last = savedStateOf(ctx);
	// Items delivered from another source must not be repeated.
	const isDelivery = items.length > 0 || !isOf(source, last);
	const delivery = { delivered: JSON.stringify(items), deliveredBy: thisProcess };
	const { name } = ctx.getNode();
	const state = { ...last, source, snapshot, name, ...(isDelivery && delivery) };
	Object.assign(ctx.getWorkflowStaticData('node'), state);
	// What was delivered is repeated as soon as n8n starts, before anyone can rename a node.
	ctx.getWorkflowStaticData('global')[copyNameOf(ctx)] = { ...state, delivered: '[]' };
}
