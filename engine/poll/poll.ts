// One poll of the trigger: loads the saved state, reads the list, compares the two, and delivers items to an execution.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { WatchedList } from '../area';
import { readFailure } from '../failure';
import { formatDuration, pluralize } from '../http/format';
import { asFailure, toNodeError } from '../items/errors';
import { digestOf } from '../kinds/list/rows';
import type { JobServices } from '../kinds/job';
import { maxParallelOf } from '../kinds/kinds';
import { SendingRun } from '../send/sendingRun';
import { openServiceAccess } from '../send/serviceAccess';
import { believedAfter, changeItem, settleChanges, type Absences } from './changes';
import { readChanges, readRows } from './listReader';
import { loadState, saveState } from './pollState';
import { readTriggerForm, type TriggerInput } from './triggerInput';

/** The maximum number of rows in a test event. */
const maxTestRows = 3;

/** The note in each row of a test event, since a trigger cannot show a hint next to them. */
const sampleNote = 'A sample: nothing has changed, and no change is missed.';

/** Nodes whose poll is in progress: n8n 2.41 starts the next poll even if the last one is still running. */
const inProgress = new Set<string>();

/**
 * The missing rows by node. They are kept in memory, since n8n may save static data only when a poll returns
 * items.
 */
const absencesOf = new Map<string, Absences>();

/**
 * The modes in which n8n itself activates the trigger, not a person. If the first poll threw an error then, n8n would
 * give up after a few tries and leave the trigger inactive, although the service may be back a minute later (n8n
 * 2.41.1: cli/src/workflows/triggers/trigger-activation-retry.ts).
 */
const automaticActivations = ['init', 'leadershipChange'];

/** Identifies a node across workflows. */
const nodeKeyOf = (ctx: IPollFunctions): string => `${ctx.getWorkflow().id} ${ctx.getNode().id}`;

/** Sample items for a person who is building the workflow; the saved state stays as is. */
async function testItems(services: JobServices, input: TriggerInput): Promise<IDataObject[]> {
	// So few rows may lack a field that others have.
	const wanted = { returnAll: false, limit: maxTestRows, onlyFields: [] };
	const { rows } = await readRows(services, input, wanted);
	if (rows.length === 0)
		throw readFailure(
			'The list has no rows to show',
			'Change the filter, or wait until there are some. The trigger itself works.',
		);
	const kind = input.settings.triggerOn.find((one) => one !== 'removed') ?? 'added';
	const shown = rows.map((row) => ({ row, content: '', identity: '' }));
	return shown.map((now) => changeItem({ kind, now }, input, sampleNote));
}

/** Logs a line like those of a node's run: with the node's name and the workflow. */
function log(ctx: IPollFunctions, level: 'warn' | 'debug', text: string): void {
	ctx.logger[level](`${ctx.getNode().name}: ${text}`, { workflowId: ctx.getWorkflow().id });
}

/**
 * Finds the changes since the last poll and saves the state for the next one.
 * @param source identifies the rows: the state of another source cannot be continued
 */
async function newItems(
	ctx: IPollFunctions,
	services: JobServices,
	input: TriggerInput,
	source: string,
): Promise<IDataObject[]> {
	const { snapshot, startsOver, itemsToRepeat } = loadState(ctx, source);
	if (itemsToRepeat.length > 0) return itemsToRepeat.map((item) => ({ ...item, repeated: true }));
	const reading = await readChanges(services, input, snapshot);
	const key = nodeKeyOf(ctx);
	const settled = await settleChanges(reading, input, absencesOf.get(key));
	const { items, absences, nextSnapshot } = settled;
	const newlyMissing = [...absences.values()].filter(({ polls }) => polls === 1).length;
	if (newlyMissing > 0) {
		const rows = pluralize(newlyMissing, 'row');
		const enough = `${believedAfter.polls} more polls and ${formatDuration(believedAfter.milliseconds)}`;
		log(ctx, 'warn', `${rows} missing from its list, counted as removed if missing for ${enough}`);
	}
	saveState(ctx, source, nextSnapshot, items);
	absencesOf.set(key, absences);
	const whatChanged = 'its settings or its saved state changed';
	if (startsOver) log(ctx, 'warn', `${whatChanged}, so only changes from now on are returned`);
	return items;
}

/**
 * Reads the list within the time that n8n allows a poll (https://github.com/n8n-io/n8n/pull/37119); versions before
 * 2.40 set no limit.
 */
async function pollWithinBudget(ctx: IPollFunctions, input: TriggerInput, isTest: boolean) {
	const budget = Math.max(0, Math.floor(ctx.getPollBudgetMs?.() ?? Infinity));
	// Node.js limits timers to 31 bits (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args).
	const stop = budget < 2 ** 31 ? AbortSignal.timeout(budget) : new AbortController().signal;
	const { operation } = input.watchedList;
	const maxParallelPages = maxParallelOf(operation, input.settings);
	const access = await openServiceAccess(ctx, new SendingRun(operation, stop, maxParallelPages));
	const services: JobServices = {
		pageSize: access.pageSize,
		send: (request, own = stop) => access.send(request, AbortSignal.any([stop, own])),
		maxParallelPages,
		// A trigger cannot show hints: there may be no output to show them next to.
		hint: (message) => log(ctx, 'debug', message),
	};
	try {
		if (isTest) return await testItems(services, input);
		// Identifies the list's owner. The account's fingerprint would not do: it changes with each new password, after
		// which the trigger would start over and miss changes.
		const { baseUrl, clientId, username } = access.session.account.settings;
		const source = digestOf([...input.source, baseUrl, clientId, username]);
		return await newItems(ctx, services, input, source);
	} catch (error) {
		if (!stop.aborted) throw asFailure(error, 'refused').mapTexts(access.session.redact);
		throw readFailure(
			`Reading the list took longer than the ${Math.floor(budget / 1000)} seconds that a poll may take`,
			"Nothing is lost: the next poll tries again. A larger 'Page Size' in the credential makes it faster.",
		);
	}
}

/**
 * Finds the changes in the watched list since the last poll. The saved state changes only if the whole poll succeeds:
 * after an error, or if the list changed while it was read, the next poll finds the same changes and any later ones.
 * @param lists the lists that the node can watch
 * @returns items for an execution; null if nothing changed, or a poll of this node is still in progress
 * @throws NodeApiError or NodeOperationError, which n8n shows as a failed execution, unless the node has an error
 * output; when n8n itself activates the trigger, the error is emitted instead of thrown
 */
export async function poll(ctx: IPollFunctions, lists: readonly WatchedList[]) {
	const isTest = ctx.getMode() === 'manual';
	const key = nodeKeyOf(ctx);
	if (!isTest && inProgress.has(key)) return null;
	if (!isTest) inProgress.add(key);
	try {
		const items = await pollWithinBudget(ctx, readTriggerForm(ctx, lists), isTest);
		return items.length === 0 ? null : [items.map((json) => ({ json }))];
	} catch (cause) {
		// Nothing is lost: the saved state stays as is.
		const failure = asFailure(cause, 'notSent').withoutItems('the next poll finds what changed');
		const node = ctx.getNode();
		if (node.onError !== 'continueErrorOutput') {
			const error = toNodeError(node, failure);
			if (!automaticActivations.includes(ctx.getActivationMode())) throw error;
			ctx.__emitError(error);
			return null;
		}
		// n8n moves an item of this shape to the error output (see errorItemOf()).
		const { message, code, advice } = failure;
		return [[{ json: { message, error: { code, advice } } }]];
	} finally {
		if (!isTest) inProgress.delete(key);
	}
}
