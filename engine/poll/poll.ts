// One poll of the trigger: loads the state, reads the list, detects what changed, and gives items to an execution.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../failure';
import { queryToSend } from '../form/filter';
import type { WatchedList } from '../form/trigger';
import { addressOf } from '../auth/accountSettings';
import { pluralize } from '../http/format';
import { asFailure, toNodeError } from '../items/errors';
import { digestOf } from '../kinds/list/digest';
import { maxParallelOf } from '../kinds/kinds';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';
import { holdsExpression } from '../values/formInputs';
import { changeItem, portionSize } from './changeItems';
import { detectionOf, type DetectedChanges, type PollState } from './detection';
import { ListReader } from './listReader';
import { hasState, loadState, saveState, takeItemsOfOtherProcess } from './pollState';
import { snapshotBefore, withChanges, type RowChange } from './snapshot';
import { readTriggerForm, type TriggerInput } from './triggerInput';

/** How many rows are shown when a person fetches a test event. */
const maxTestRows = 3;

/** Nodes whose poll is under way: n8n starts the next poll even if the last one takes longer than the interval. */
const pollsUnderWay = new Set<string>();

type PollOutput = INodeExecutionData[][] | null;

const pollOutput = (items: readonly IDataObject[]): PollOutput =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

/**
 * Identifies what must be the same for two polls to be compared. The filter counts as it is sent; one with an expression
 * as it is saved, since `$now` has another value in each poll, with the settings that say how it is written.
 */
function basisOf(
	{ watchedList, filters, savedFilters, settings }: TriggerInput,
	{ user: { baseUrl, username }, conventions }: ServiceAccess,
): string {
	const { filterSyntax, filterNumbers, archivedValues } = conventions;
	const filter = holdsExpression(savedFilters)
		? [savedFilters, filterSyntax, filterNumbers, archivedValues]
		: [queryToSend(filters, watchedList.operation.columns, conventions), settings.additionalFields];
	const basis = [watchedList.name, filter, settings.detectBy, addressOf(baseUrl), username];
	return digestOf(basis).toString(36);
}

/** Items that show a person who builds the workflow what the trigger gives; the state stays as it is. */
async function testItems(reader: ListReader, { settings }: TriggerInput): Promise<PollOutput> {
	const rows = await reader.firstRows(maxTestRows);
	if (rows.length === 0) {
		throw new Failure('The list has no rows that could be shown', 'refused', {
			advice: 'Change the filter, or wait until there are some. The trigger itself works.',
		});
	}
	const kind = settings.triggerOn.find((wantedKind) => wantedKind !== 'removed') ?? 'added';
	return pollOutput(rows.map((row) => changeItem({ kind, row }, settings, { sample: true })));
}

/** As the lines of a node's run: with the node's name and the workflow. */
function log(ctx: IPollFunctions, level: 'warn' | 'debug', text: string): void {
	ctx.logger[level](`${ctx.getNode().name}: ${text}`, { workflowId: ctx.getWorkflow().id });
}

/**
 * Makes the state for the first poll with these settings.
 * @returns the state to detect changes with; undefined if the trigger starts from now, and this poll gives nothing
 */
async function firstState(
	ctx: IPollFunctions,
	reader: ListReader,
	{ settings }: TriggerInput,
	basis: string,
): Promise<PollState | undefined> {
	const haveSettingsChanged = hasState(ctx);
	// Not after a change of the settings: all rows would be given a second time.
	if (settings.startFrom === 'everything' && !haveSettingsChanged) return { rows: '' };
	saveState(ctx, basis, await detectionOf(settings).initialState(reader, settings));
	if (haveSettingsChanged) {
		log(ctx, 'warn', 'the settings have changed, so only changes from now on are given');
	}
	return undefined;
}

/** @param postponed changes that this poll does not give any more */
function stateAfter(
	state: PollState,
	{ changes, unconfirmed, nextState }: DetectedChanges,
	postponed: ReadonlySet<RowChange>,
): PollState {
	if (postponed.size === 0 && unconfirmed.length === 0) return nextState;
	const made = changes.filter((change) => !postponed.has(change));
	const missing = [...unconfirmed, ...postponed].filter(({ kind }) => kind === 'removed');
	return {
		// The cursor stays, and what is postponed or not confirmed is not made in the snapshot: the next poll finds it.
		...(postponed.size === 0 ? nextState : state),
		rows: withChanges(state.rows, made),
		missing: snapshotBefore(missing),
	};
}

async function changedItems(
	ctx: IPollFunctions,
	reader: ListReader,
	input: TriggerInput,
	basis: string,
): Promise<PollOutput> {
	const { settings } = input;
	const state = loadState(ctx, basis) ?? (await firstState(ctx, reader, input, basis));
	if (!state) return null;
	const detected = await detectionOf(settings).detectChanges(reader, state, settings);
	const wantedChanges = detected.changes.filter(({ kind }) => settings.triggerOn.includes(kind));
	const items = wantedChanges.map((change) => changeItem(change, settings));
	const count = portionSize(items, settings.maxItems);
	const itemsNow = items.slice(0, count);
	const { length: missing } = detected.unconfirmed;
	if (missing > 0) {
		log(
			ctx,
			'warn',
			`misses ${pluralize(missing, 'row')} of its list, which count as removed if the next poll misses them too`,
		);
	}
	const newState = stateAfter(state, detected, new Set(wantedChanges.slice(count)));
	saveState(ctx, basis, newState, itemsNow);
	return pollOutput(itemsNow);
}

/** Gives again what an earlier process gave last, since it may not have reached an execution. */
function repeatedItems(ctx: IPollFunctions, basis: string): PollOutput {
	const items = takeItemsOfOtherProcess(ctx, basis) ?? [];
	return pollOutput(items.map((item) => ({ ...item, repeated: true })));
}

const budgetExceeded = (budget = 0): Failure =>
	new Failure(
		`Reading the list took longer than the ${Math.floor(budget / 1000)} seconds that a poll may take`,
		'refused',
		{
			advice:
				"Nothing is lost: the next poll tries again. With a larger 'Page Size' in the credential it takes less time.",
		},
	);

/**
 * Milliseconds that n8n gives a poll, as a timer of Node.js takes them: whole, and no more than 32 bits.
 * @returns undefined for no limit: versions of n8n before 2.40 set none
 */
function pollBudget(ctx: IPollFunctions): number | undefined {
	const budget = ctx.getPollBudgetMs?.();
	return budget === undefined ? undefined : Math.max(0, Math.floor(Math.min(budget, 2 ** 31 - 1)));
}

/** Reads the list within the time that n8n gives a poll. */
async function readWithinBudget(
	ctx: IPollFunctions,
	input: TriggerInput,
	isTest: boolean,
): Promise<PollOutput> {
	const budget = pollBudget(ctx);
	const stop = budget === undefined ? new AbortController().signal : AbortSignal.timeout(budget);
	const { settings } = input;
	const { operation } = input.watchedList;
	const maxParallelPages = maxParallelOf(operation, settings);
	const access = await openServiceAccess(ctx, operation, maxParallelPages, stop);
	const reader = new ListReader(
		{
			send: (request, requestStop) =>
				access.send(request, requestStop ? AbortSignal.any([stop, requestStop]) : stop),
			maxParallelPages,
			// A trigger has no output that a hint could stand beside before it gives items.
			hint: (message) => log(ctx, 'debug', message),
			conventions: access.conventions,
		},
		input,
	);
	try {
		if (isTest) return await testItems(reader, input);
		const basis = basisOf(input, access);
		return repeatedItems(ctx, basis) ?? (await changedItems(ctx, reader, input, basis));
	} catch (error) {
		throw stop.aborted
			? budgetExceeded(budget)
			: asFailure(error, 'refused').mapTexts(access.redactSecrets);
	}
}

async function pollUnlessUnderWay(ctx: IPollFunctions, input: TriggerInput): Promise<PollOutput> {
	const key = JSON.stringify([ctx.getWorkflow().id, ctx.getNode().id]);
	if (pollsUnderWay.has(key)) return null;
	pollsUnderWay.add(key);
	try {
		return await readWithinBudget(ctx, input, false);
	} finally {
		pollsUnderWay.delete(key);
	}
}

/**
 * Finds what changed in the watched list since the last poll. The state changes only when the whole poll succeeded:
 * after an error, or when the list changed while it was read, the next poll finds the same changes and later ones.
 * @param lists the lists that the node can watch
 * @returns items for an execution; null when nothing changed, or a poll of this node is still under way
 * @throws NodeApiError or NodeOperationError, which n8n shows as a failed execution
 */
export async function poll(
	ctx: IPollFunctions,
	lists: readonly WatchedList[],
): Promise<PollOutput> {
	try {
		const input = readTriggerForm(ctx, lists);
		return await (ctx.getMode() === 'manual'
			? readWithinBudget(ctx, input, true)
			: pollUnlessUnderWay(ctx, input));
	} catch (error) {
		throw toNodeError(ctx.getNode(), asFailure(error, 'notSent'));
	}
}
