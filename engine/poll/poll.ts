// One poll of the trigger: what is known → what is there → what changed → items for an execution.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure, withWordsChanged } from '../failure';
import type { TriggerSettings, WatchedList } from '../form/trigger';
import { asFailure, toNodeError } from '../items/errors';
import { digestOf } from '../kinds/list/digest';
import { maxParallelOf } from '../kinds/tasks';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';
import {
	forgetLastItems,
	hasState,
	itemsGivenByOtherProcess,
	loadState,
	saveState,
	claimLastItems,
} from './pollState';
import { changeItem, portionSize } from './changeItems';
import { ListReader } from './listReader';
import { readTriggerForm, type TriggerInput } from './triggerInput';
import { withChanges, type RowChange } from './snapshot';
import { detections, type PollState } from './detection';

/** Rows that are shown when a person fetches a test event. */
const maxTestRows = 3;

/** Polls under way, by node: n8n begins the next one also when one takes longer than the time between them. */
const pollsUnderWay = new Set<string>();

type PollOutput = INodeExecutionData[][] | null;

const pollOutput = (items: readonly IDataObject[]): PollOutput =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const isWanted = ({ kind }: RowChange, { triggerOn }: TriggerSettings): boolean =>
	triggerOn.includes(kind);

/** What must be the same for two polls to be compared. It changes too when digests are made in another way. */
const basisOf = (
	{ watched, filters, settings }: TriggerInput,
	user: ServiceAccess['user'],
): string =>
	digestOf({
		resource: watched.name,
		filters,
		detectBy: settings.detectBy,
		...user,
	}).toString(36);

/** A person who builds the workflow sees what items look like; nothing is remembered. */
async function testItems(reader: ListReader, { settings }: TriggerInput): Promise<PollOutput> {
	const rows = await reader.some(maxTestRows);
	if (rows.length === 0) {
		throw new Failure('The list has no rows that could be shown', 'refused', {
			advice: 'Change the filter, or wait until there are some. The trigger itself works.',
		});
	}
	const { tellsKinds } = detections[settings.detectBy];
	const kind = settings.triggerOn.find((one) => one !== 'removed') ?? 'added';
	return pollOutput(rows.map((row) => changeItem({ kind, row }, settings, tellsKinds)));
}

/** The first poll with these settings. */
async function firstPoll(
	ctx: IPollFunctions,
	reader: ListReader,
	{ settings }: TriggerInput,
	basis: string,
): Promise<PollState | undefined> {
	const isChanged = hasState(ctx);
	// After a change of settings all rows would come a second time.
	if (settings.startFrom === 'everything' && !isChanged) return { rows: '' };
	const known = await detections[settings.detectBy].begin(reader, settings);
	saveState(ctx, basis, known);
	if (isChanged) {
		ctx.logger.warn(
			`The settings of "${ctx.getNode().name}" have changed: it gives only changes from now on`,
		);
	}
	return undefined;
}

async function changesSinceLast(
	ctx: IPollFunctions,
	reader: ListReader,
	chosen: TriggerInput,
	basis: string,
): Promise<PollOutput> {
	const { settings } = chosen;
	const detection = detections[settings.detectBy];
	const known = loadState(ctx, basis) ?? (await firstPoll(ctx, reader, chosen, basis));
	if (!known) return null;
	const found = await detection.find(reader, known, settings);
	const wanted = found.changes.filter((change) => isWanted(change, settings));
	const items = wanted.map((change) => changeItem(change, settings, detection.tellsKinds));
	const count = portionSize(items, settings.maxItems);
	const given = items.slice(0, count);
	const left = new Set(wanted.slice(count));
	const next =
		left.size === 0
			? found.next
			: {
					...known,
					rows: withChanges(
						known.rows,
						found.changes.filter((change) => !left.has(change)),
					),
				};
	const isRepeated = settings.afterRestart === 'repeat' && count > 0;
	saveState(ctx, basis, next, isRepeated ? given : undefined);
	return pollOutput(given);
}

/** Gives again what a process that has ended gave last, since it may not have reached an execution. */
function itemsRepeated(ctx: IPollFunctions, { settings }: TriggerInput): PollOutput {
	if (settings.afterRestart === 'nothing') forgetLastItems(ctx);
	const items = itemsGivenByOtherProcess(ctx);
	if (!items) return null;
	claimLastItems(ctx);
	return pollOutput(items.map((item) => ({ ...item, repeated: true })));
}

const budgetExceeded = (budget = 0): Failure =>
	new Failure(
		`Reading the list took longer than the ${Math.floor(budget / 1000)} seconds that a poll may take`,
		'refused',
		{
			advice:
				"Nothing is lost: the next poll tries again. With a larger 'Page Size' it takes less time.",
		},
	);

/** Reads the list within the time that n8n gives a poll. */
async function readWithinBudget(
	ctx: IPollFunctions,
	chosen: TriggerInput,
	isTest: boolean,
): Promise<PollOutput> {
	// Versions of n8n before 2.40 set no bound.
	const budget = ctx.getPollBudgetMs?.();
	const stop = budget === undefined ? new AbortController().signal : AbortSignal.timeout(budget);
	const { watched, filters, settings } = chosen;
	const { operation } = watched;
	const maxParallel = maxParallelOf(operation, settings);
	const access = await openServiceAccess(ctx, operation, maxParallel, stop);
	const send: ServiceAccess['send'] = (request, own) =>
		access.send(request, own ? AbortSignal.any([stop, own]) : stop);
	const reader = new ListReader(operation, filters, settings, send, maxParallel);
	try {
		if (isTest) return await testItems(reader, chosen);
		return await changesSinceLast(ctx, reader, chosen, basisOf(chosen, access.user));
	} catch (error) {
		throw stop.aborted
			? budgetExceeded(budget)
			: withWordsChanged(asFailure(error, 'refused'), access.redactSecrets);
	}
}

async function onePoll(ctx: IPollFunctions, chosen: TriggerInput): Promise<PollOutput> {
	const key = JSON.stringify([ctx.getWorkflow().id, ctx.getNode().id]);
	if (pollsUnderWay.has(key)) return null;
	pollsUnderWay.add(key);
	try {
		return itemsRepeated(ctx, chosen) ?? (await readWithinBudget(ctx, chosen, false));
	} finally {
		pollsUnderWay.delete(key);
	}
}

/**
 * Finds what changed in the chosen list since the last poll. What is remembered changes only when all of it is
 * known: after an error, or when the list moved while it was read, the next poll finds the same and more.
 * @param lists those of the node
 * @returns items for an execution; null when nothing changed, or a poll of this node is still under way
 * @throws NodeApiError or NodeOperationError, which n8n shows as a failed execution
 */
export async function poll(
	ctx: IPollFunctions,
	lists: readonly WatchedList[],
): Promise<PollOutput> {
	try {
		const chosen = readTriggerForm(ctx, lists);
		return await (ctx.getMode() === 'manual'
			? readWithinBudget(ctx, chosen, true)
			: onePoll(ctx, chosen));
	} catch (error) {
		throw toNodeError(ctx.getNode(), asFailure(error, 'notSent'));
	}
}
