// Keeps the trigger's state from poll to poll, in n8n's static data of its node. When items are given to an
// execution, n8n saves the static data and creates the execution side by side, so that a crash may keep the one and
// lose the other. Therefore the items given last are kept too, and the next process of n8n gives them again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import { parseJson } from '../http/json';
import type { PollState } from './detection';

/**
 * The static data of saved workflows, so that its names must stay. No value is an object: n8n watches every object in
 * the static data, which takes time.
 */
interface SavedState extends Partial<PollState> {
	/** Identifies the list, filters, way of detection and user of the service that the state belongs to. */
	basis?: string;
	/** The items given last, as JSON. */
	given?: string;
	/** The process that gave them. */
	givenBy?: string;
}

/** Tells this process from other processes, and from itself before a restart. */
const thisProcess = randomUUID();

/** The most characters of a snapshot: n8n writes all of it into its database each time items are given. */
export const maxStateCharacters = 10_000_000;

/** Got from n8n each time that it is needed: with durable cursors it is another object in each poll. */
const savedStateOf = (ctx: IPollFunctions): SavedState =>
	ctx.getWorkflowStaticData('node') as SavedState;

/** @returns undefined before the first poll, and if the state belongs to another basis */
export function loadState(ctx: IPollFunctions, basis: string): PollState | undefined {
	const { basis: savedBasis, rows, cursor, missing } = savedStateOf(ctx);
	return savedBasis === basis && rows !== undefined ? { rows, cursor, missing } : undefined;
}

/** Whether there is any state, of whatever basis. */
export const hasState = (ctx: IPollFunctions): boolean => savedStateOf(ctx).basis !== undefined;

/**
 * Replaces the state. If this poll gives no items to an execution, n8n does not save the new state: it is lost when
 * the process ends, which does no harm, since the older state finds the same changes again.
 * @param itemsToRepeat the items given to an execution now, which are given again after a restart
 * @throws Failure when the snapshot is too large; then the state stays as it is
 */
export function saveState(
	ctx: IPollFunctions,
	basis: string,
	{ rows, cursor, missing }: PollState,
	itemsToRepeat: readonly IDataObject[] = [],
): void {
	if (rows.length > maxStateCharacters) {
		throw new Failure(
			`The list is too long for the trigger to remember: it needs ${rows.length} characters of at most ${maxStateCharacters}`,
			'refused',
			{ advice: "Add a filter, or choose a 'Detect By' that asks the service only for changes." },
		);
	}
	const saved = savedStateOf(ctx);
	if (itemsToRepeat.length > 0) {
		Object.assign(saved, { given: JSON.stringify(itemsToRepeat), givenBy: thisProcess });
	} else if (saved.basis !== basis) {
		// What was given of another list is not given again.
		Object.assign(saved, { given: undefined, givenBy: undefined });
	}
	Object.assign(saved, { basis, rows, cursor, missing });
}

/**
 * Takes the items that another process has given last, of which nobody knows whether they reached an execution. Only
 * those of the same basis, and this process gets them only once.
 * @returns undefined when there are none
 */
export function takeItemsOfOtherProcess(
	ctx: IPollFunctions,
	basis: string,
): IDataObject[] | undefined {
	const saved = savedStateOf(ctx);
	if (saved.given === undefined || saved.givenBy === thisProcess) return undefined;
	if (saved.basis !== basis) return undefined;
	saved.givenBy = thisProcess;
	return parseJson(saved.given) as IDataObject[];
}
