// One poll of the trigger: what is known → what is there → what changed → items for an execution.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure, reworded } from '../failure';
import type { TriggerSettings, Watched } from '../form/trigger';
import { asFailure, toNodeError } from '../items/errors';
import { digestOf } from '../kinds/list/digest';
import { widthOf } from '../kinds/tasks';
import { openWay, type Way as WayToService } from '../send/open';
import { forgetLast, hasMemory, lastOfOthers, recall, remember, takeOver } from './memory';
import { itemOf, portionOf } from './output';
import { Reader } from './reader';
import { chosenBy, type Chosen } from './settings';
import { after, type Change } from './snapshot';
import { ways, type Known } from './ways';

/** Rows that are shown when a person fetches a test event. */
const mostShown = 3;

/** Polls under way, by node: n8n begins the next one also when one takes longer than the time between them. */
const underWay = new Set<string>();

type Output = INodeExecutionData[][] | null;

const output = (items: readonly IDataObject[]): Output =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const isWanted = ({ kind }: Change, { triggerOn }: TriggerSettings): boolean =>
	triggerOn.includes(kind);

/** What must be the same for two polls to be compared. It changes too when digests are made in another way. */
const basisOf = ({ watched, filters, settings }: Chosen, owner: WayToService['owner']): string =>
	digestOf({
		resource: watched.name,
		filters,
		detectBy: settings.detectBy,
		...owner,
	}).toString(36);

/** A person who builds the workflow sees what items look like; nothing is remembered. */
async function examples(reader: Reader, { settings }: Chosen): Promise<Output> {
	const rows = await reader.some(mostShown);
	if (rows.length === 0) {
		throw new Failure('The list has no rows that could be shown', 'refused', {
			advice: 'Change the filter, or wait until there are some. The trigger itself works.',
		});
	}
	const { tellsKinds } = ways[settings.detectBy];
	const kind = settings.triggerOn.find((one) => one !== 'removed') ?? 'added';
	return output(rows.map((row) => itemOf({ kind, row }, settings, tellsKinds)));
}

/** The first poll with these settings. */
async function firstPoll(
	ctx: IPollFunctions,
	reader: Reader,
	{ settings }: Chosen,
	basis: string,
): Promise<Known | undefined> {
	const isChanged = hasMemory(ctx);
	// After a change of settings all rows would come a second time.
	if (settings.startFrom === 'everything' && !isChanged) return { rows: '' };
	const known = await ways[settings.detectBy].begin(reader, settings);
	remember(ctx, basis, known);
	if (isChanged) {
		ctx.logger.warn(
			`The settings of "${ctx.getNode().name}" have changed: it gives what changes from now on`,
		);
	}
	return undefined;
}

async function changesSinceLast(
	ctx: IPollFunctions,
	reader: Reader,
	chosen: Chosen,
	basis: string,
): Promise<Output> {
	const { settings } = chosen;
	const way = ways[settings.detectBy];
	const known = recall(ctx, basis) ?? (await firstPoll(ctx, reader, chosen, basis));
	if (!known) return null;
	const found = await way.find(reader, known, settings);
	const wanted = found.changes.filter((change) => isWanted(change, settings));
	const items = wanted.map((change) => itemOf(change, settings, way.tellsKinds));
	const count = portionOf(items, settings.maxItems);
	const given = items.slice(0, count);
	const left = new Set(wanted.slice(count));
	const next =
		left.size === 0
			? found.known
			: {
					...known,
					rows: after(
						known.rows,
						found.changes.filter((change) => !left.has(change)),
					),
				};
	const isRepeated = settings.afterRestart === 'repeat' && count > 0;
	remember(ctx, basis, next, isRepeated ? given : undefined);
	return output(given);
}

/** Gives again what a process that has ended gave last, since it may not have reached an execution. */
function repeated(ctx: IPollFunctions, { settings }: Chosen): Output {
	if (settings.afterRestart === 'nothing') forgetLast(ctx);
	const items = lastOfOthers(ctx);
	if (!items) return null;
	takeOver(ctx);
	return output(items.map((item) => ({ ...item, repeated: true })));
}

const tooSlow = (budget = 0): Failure =>
	new Failure(
		`The list was not read within the ${Math.floor(budget / 1000)} seconds that n8n gives a poll`,
		'refused',
		{ advice: "Nothing is lost: the next poll tries again. A larger 'Page Size' is quicker." },
	);

/** Reads the list within the time that n8n gives a poll. */
async function read(ctx: IPollFunctions, chosen: Chosen, isTest: boolean): Promise<Output> {
	// Versions of n8n before 2.40 set no bound.
	const budget = ctx.getPollBudgetMs?.();
	const stop = budget === undefined ? new AbortController().signal : AbortSignal.timeout(budget);
	const { watched, filters, settings } = chosen;
	const { operation } = watched;
	const width = widthOf(operation, settings);
	const way = await openWay(ctx, operation, width, stop);
	const send: WayToService['send'] = (request, own) =>
		way.send(request, own ? AbortSignal.any([stop, own]) : stop);
	const reader = new Reader(operation, filters, settings, send, width);
	try {
		if (isTest) return await examples(reader, chosen);
		return await changesSinceLast(ctx, reader, chosen, basisOf(chosen, way.owner));
	} catch (error) {
		throw stop.aborted ? tooSlow(budget) : reworded(asFailure(error, 'refused'), way.safe);
	}
}

async function onePoll(ctx: IPollFunctions, chosen: Chosen): Promise<Output> {
	const key = JSON.stringify([ctx.getWorkflow().id, ctx.getNode().id]);
	if (underWay.has(key)) return null;
	underWay.add(key);
	try {
		return repeated(ctx, chosen) ?? (await read(ctx, chosen, false));
	} finally {
		underWay.delete(key);
	}
}

/**
 * Finds what changed in the chosen list since the last poll. What is remembered changes only when all of it is
 * known: after an error, or when the list moved while it was read, the next poll finds the same and more.
 * @param lists those of the node
 * @returns items for an execution; null when nothing changed, or a poll of this node is still under way
 * @throws NodeApiError or NodeOperationError, which n8n shows as a failed execution
 */
export async function poll(ctx: IPollFunctions, lists: readonly Watched[]): Promise<Output> {
	try {
		const chosen = chosenBy(ctx, lists);
		return await (ctx.getMode() === 'manual' ? read(ctx, chosen, true) : onePoll(ctx, chosen));
	} catch (error) {
		throw toNodeError(ctx.getNode(), asFailure(error, 'notSent'));
	}
}
