// What a trigger remembers from poll to poll, in n8n's static data of its node. n8n saves it when items are given
// to an execution, side by side with creating that execution: a crash may keep the one and lose the other. So what
// was given last is kept too, and whichever process of n8n comes next gives it again.
import { randomUUID } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import { parseJson } from '../http/json';
import type { Known } from './ways';

/** All of it texts: n8n watches every object in it, which takes time. */
interface Memory extends Partial<Known> {
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
export const mostRemembered = 10_000_000;

/** Asked of n8n anew each time: with durable cursors it is another object in each poll. */
const memoryOf = (ctx: IPollFunctions): Memory => ctx.getWorkflowStaticData('node') as Memory;

/** @returns undefined before the first poll, and for what was learned from another basis */
export function recall(ctx: IPollFunctions, basis: string): Known | undefined {
	const { basis: learnedFrom, rows, cursor } = memoryOf(ctx);
	return learnedFrom === basis && rows !== undefined ? { rows, cursor } : undefined;
}

/** Whether anything is remembered, from whatever basis. */
export const hasMemory = (ctx: IPollFunctions): boolean => memoryOf(ctx).basis !== undefined;

/**
 * Replaces what is remembered. What is not given to an execution stays in n8n's memory only, and is forgotten when
 * its process ends: the older state finds the same again.
 * @param given items that are given to an execution now, where they are to be given again after a restart
 * @throws Failure when it is too much; then nothing is replaced
 */
export function remember(
	ctx: IPollFunctions,
	basis: string,
	{ rows, cursor }: Known,
	given?: readonly IDataObject[],
): void {
	if (rows.length > mostRemembered) {
		throw new Failure(
			`The list has more than the trigger can remember: ${rows.length} characters, of ${mostRemembered}`,
			'refused',
			{ advice: "Add a filter, or set 'Detect By' to one that asks the service for changes only." },
		);
	}
	const memory = memoryOf(ctx);
	Object.assign(memory, { basis, rows });
	if (cursor === undefined) delete memory.cursor;
	else memory.cursor = cursor;
	if (given) Object.assign(memory, { given: JSON.stringify(given), givenBy: thisProcess });
}

/** @returns what another process has given last: whether it has reached an execution is not known; undefined if none */
export function lastOfOthers(ctx: IPollFunctions): IDataObject[] | undefined {
	const { given, givenBy } = memoryOf(ctx);
	if (given === undefined || givenBy === thisProcess) return undefined;
	return parseJson(given) as IDataObject[];
}

/** From now on it is this process that has given the last items. */
export function takeOver(ctx: IPollFunctions): void {
	memoryOf(ctx).givenBy = thisProcess;
}

/** Forgets what was given last. */
export function forgetLast(ctx: IPollFunctions): void {
	const memory = memoryOf(ctx);
	delete memory.given;
	delete memory.givenBy;
}
