// One poll of the trigger: loads the state, reads the list, detects what changed, and gives items to an execution.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure, withWordsChanged } from '../failure';
import type { TriggerSettings, WatchedList } from '../form/trigger';
import { addressOf } from '../auth/accountSettings';
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
import { withChanges, withLast, type RowChange } from './snapshot';
import { detections, type DetectedChanges, type PollState } from './detection';

/** How many rows are shown when a person fetches a test event. */
const maxTestRows = 3;

/** Nodes whose poll is under way: n8n starts the next poll even if the last one takes longer than the interval. */
const pollsUnderWay = new Set<string>();

type PollOutput = INodeExecutionData[][] | null;

const pollOutput = (items: readonly IDataObject[]): PollOutput =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const isWanted = ({ kind }: RowChange, { triggerOn }: TriggerSettings): boolean =>
	triggerOn.includes(kind);

/**
 * Identifies what must be the same for two polls to be compared. It changes also when a new version of this package
 * makes digests in another way.
 */
const basisOf = (
	{ watchedList, settings }: TriggerInput,
	filters: IDataObject,
	user: ServiceAccess['user'],
): string =>
	digestOf({
		resource: watchedList.name,
		filters,
		detectBy: settings.detectBy,
		...user,
	}).toString(36);

/**
 * The basis of a poll, and those of a state that an earlier version has saved: with the value of a filter's expression
 * instead of the expression, and with the address as the credential has it, instead of the one spelling of all.
 */
const basesOf = (input: TriggerInput, user: ServiceAccess['user']): [string, ...string[]] => {
	const { filters, filtersAsWritten } = input;
	const sameUser = { ...user, baseUrl: addressOf(user.baseUrl) };
	return [
		basisOf(input, filtersAsWritten, sameUser),
		basisOf(input, filters, sameUser),
		basisOf(input, filters, user),
	];
};

/** Items that show a person who builds the workflow what the trigger gives; the state stays as it is. */
async function testItems(reader: ListReader, { settings }: TriggerInput): Promise<PollOutput> {
	const rows = await reader.firstRows(maxTestRows);
	if (rows.length === 0) {
		throw new Failure('The list has no rows that could be shown', 'refused', {
			advice: 'Change the filter, or wait until there are some. The trigger itself works.',
		});
	}
	const { knowsKindOfChange } = detections[settings.detectBy];
	const kind = settings.triggerOn.find((wantedKind) => wantedKind !== 'removed') ?? 'added';
	const samples = rows.map((row) => changeItem({ kind, row }, settings, knowsKindOfChange));
	return pollOutput(samples.map((item) => ({ ...item, sample: true })));
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
	forgetLastItems(ctx);
	saveState(ctx, basis, await detections[settings.detectBy].initialState(reader, settings));
	if (haveSettingsChanged) {
		ctx.logger.warn(
			`The settings of "${ctx.getNode().name}" have changed: it gives only changes from now on`,
		);
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
	const missing = [...unconfirmed, ...[...postponed].filter(({ kind }) => kind === 'removed')];
	const made = changes.filter((change) => !postponed.has(change));
	return {
		// The cursor stays, and what is postponed or not confirmed is not made in the snapshot: the next poll finds it.
		...(postponed.size === 0 ? nextState : state),
		rows: withLast(withChanges(state.rows, made), missing),
		missing: missing.length,
	};
}

async function changedItems(
	ctx: IPollFunctions,
	reader: ListReader,
	input: TriggerInput,
	bases: [string, ...string[]],
): Promise<PollOutput> {
	const [basis] = bases;
	const { settings } = input;
	const detection = detections[settings.detectBy];
	const state = loadState(ctx, bases) ?? (await firstState(ctx, reader, input, basis));
	if (!state) return null;
	const detected = await detection.detectChanges(reader, state, settings);
	const wantedChanges = detected.changes.filter((change) => isWanted(change, settings));
	const items = wantedChanges.map((change) =>
		changeItem(change, settings, detection.knowsKindOfChange),
	);
	const count = portionSize(items, settings.maxItems);
	const itemsNow = items.slice(0, count);
	const newState = stateAfter(state, detected, new Set(wantedChanges.slice(count)));
	const { length: missing } = detected.unconfirmed;
	if (missing > 0) {
		ctx.logger.warn(
			`"${ctx.getNode().name}" misses ${missing} rows of its list at once: they count as removed if the next poll misses them too`,
		);
	}
	saveState(ctx, basis, newState, count > 0 ? itemsNow : undefined);
	return pollOutput(itemsNow);
}

/** Gives again what an earlier process gave last, since it may not have reached an execution. */
function repeatedItems(ctx: IPollFunctions, bases: readonly string[]): PollOutput {
	const items = itemsGivenByOtherProcess(ctx, bases);
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
	const { watchedList, filters, settings } = input;
	const { operation } = watchedList;
	const maxParallel = maxParallelOf(operation, settings);
	const access = await openServiceAccess(ctx, operation, maxParallel, stop);
	const send: ServiceAccess['send'] = (request, requestStop) =>
		access.send(request, requestStop ? AbortSignal.any([stop, requestStop]) : stop);
	// A trigger has no output that a hint could stand beside before it gives items.
	const hint = (message: string) => ctx.logger.debug(`${ctx.getNode().name}: ${message}`);
	const reader = new ListReader(
		operation,
		filters,
		settings,
		send,
		maxParallel,
		hint,
		access.conventions,
	);
	try {
		if (isTest) return await testItems(reader, input);
		const bases = basesOf(input, access.user);
		return repeatedItems(ctx, bases) ?? (await changedItems(ctx, reader, input, bases));
	} catch (error) {
		throw stop.aborted
			? budgetExceeded(budget)
			: withWordsChanged(asFailure(error, 'refused'), access.redactSecrets);
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
