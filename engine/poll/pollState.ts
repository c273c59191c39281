// What a trigger remembers from poll to poll, in n8n's static data of its node. n8n saves it when items are given
// to an execution, side by side with creating that execution: a crash may keep the one and lose the other. So what
// was given last is kept too, and whichever process of n8n comes next gives it again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import { parseJson } from '../http/json';
import type { PollState } from './detection';

/** All of it texts: n8n watches every object in it, which takes time. */
interface SavedState extends Partial<PollState> {
	/** What the rest was learned from. */
	basis?: string;
	/** Items given last, as JSON. */
	given?: string;
	/** The process that gave them. */
	givenBy?: string;
}

/** Tells this process from others, and from itself after a restart. */
const thisProcess = randomUUID();

/** Characters: n8n writes all of it into its database each time items are given. */
export const maxStateCharacters = 10_000_000;

/** Asked of n8n anew each time: with durable cursors it is another object in each poll. */
const savedStateOf = (ctx: IPollFunctions): SavedState =>
	ctx.getWorkflowStaticData('node') as SavedState;

/** @returns undefined before the first poll, and for what was learned from another basis */
export function loadState(ctx: IPollFunctions, basis: string): PollState | undefined {
	const { basis: learnedFrom, rows, cursor } = savedStateOf(ctx);
	return learnedFrom === basis && rows !== undefined ? { rows, cursor } : undefined;
}

/** Whether anything is remembered, from whatever basis. */
export const hasState = (ctx: IPollFunctions): boolean => savedStateOf(ctx).basis !== undefined;

/**
 * Replaces what is remembered. What is not given to an execution stays in n8n's memory only, and is forgotten when
 * its process ends: the older state finds the same again.
 * @param given items that are given to an execution now, where they are to be given again after a restart
 * @throws Failure when it is too much; then nothing is replaced
 */
export function saveState(
	ctx: IPollFunctions,
	basis: string,
	{ rows, cursor }: PollState,
	given?: readonly IDataObject[],
): void {
	if (rows.length > maxStateCharacters) {
		throw new Failure(
			`The list is too long for the trigger to remember: it needs ${rows.length} characters of at most ${maxStateCharacters}`,
			'refused',
			{ advice: "Add a filter, or choose a 'Detect By' that asks the service only for changes." },
		);
	}
	const memory = savedStateOf(ctx);
	Object.assign(memory, { basis, rows });
	if (cursor === undefined) delete memory.cursor;
	else memory.cursor = cursor;
	if (given) Object.assign(memory, { given: JSON.stringify(given), givenBy: thisProcess });
}

/** @returns what another process has given last: whether it has reached an execution is not known; undefined if none */
export function itemsGivenByOtherProcess(ctx: IPollFunctions): IDataObject[] | undefined {
	const { given, givenBy } = savedStateOf(ctx);
	if (given === undefined || givenBy === thisProcess) return undefined;
	return parseJson(given) as IDataObject[];
}

/** From now on it is this process that has given the last items. */
export function claimLastItems(ctx: IPollFunctions): void {
	savedStateOf(ctx).givenBy = thisProcess;
}

/** Forgets what was given last. */
export function forgetLastItems(ctx: IPollFunctions): void {
	const memory = savedStateOf(ctx);
	delete memory.given;
	delete memory.givenBy;
}
