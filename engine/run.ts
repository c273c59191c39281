// Runs a node's operation, in the steps that all nodes share: form → values → request → send → response → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Area, type Operation } from './area';
import { chosenOperation } from './form/form';
import { refuseMisplaced, unusedKeyHint } from './form/misplaced';
import type { Settings } from './form/settings';
import { asFailure, toNodeError } from './items/errors';
import { Ledger } from './items/ledger';
import { conclude, outputItems, refuseInvalid } from './items/nodeOutput';
import { inBatches, outputOf, requestOf, type Job } from './kinds/job';
import { kindOf, maxParallelOf } from './kinds/kinds';
import { readItems } from './kinds/readItems';
import { RunLog } from './log';
import { claimResume, restoreEnd, saveEnd } from './once/executionResume';
import { keyProblems } from './once/keyRules';
import { SendOnce, type KeyedRun } from './once/sendOnce';
import { SendingRun } from './send/sendingRun';
import { openServiceAccess } from './send/serviceAccess';
import { assertOneAccount } from './send/storedCredential';

/**
 * Opens the service.
 * @param settings the first item's
 * @throws Failure if nothing can be sent
 */
async function openService(ledger: Ledger, sending: SendingRun, settings: Settings) {
	const { ctx, sendable, stop } = ledger;
	sending.maxParallel = maxParallelOf(sending.operation, settings);
	const access = await openServiceAccess(ctx, sending);
	ledger.account = access.session.account.label;
	await assertOneAccount(ctx, access.credentials, sendable, stop);
	return access;
}

/**
 * Looks up the keys of items that are not sent, because they are only checked or their values are invalid. The ledger
 * then shows which of them an earlier run has sent or left in doubt. If the look-up fails, nothing is known of them.
 */
async function lookUpKeys(run: KeyedRun, jobs: readonly Job[]): Promise<void> {
	const keyed = jobs.filter(({ itemIndex }) => {
		const { key, problems } = run.ledger.items[itemIndex]!;
		return key !== undefined && problems!.key.length === 0;
	});
	if (keyed.length === 0) return;
	try {
		const sendOnce = await SendOnce.open(run);
		await sendOnce.lookUp(keyed);
		await sendOnce.close();
	} catch {
		// They are reported as if they had no key.
	}
}

/** Sends all items in parallel. Whatever happens, the ledger gets a result for each of them. */
async function sendAll(ledger: Ledger, sending: SendingRun): Promise<void> {
	const { operation } = sending;
	if (isWriting(operation)) ledger.unknownSends = restoreEnd(operation, ledger);
	const { valid, refused } = await readItems(operation, ledger, keyProblems);
	const isChecked = ({ values }: Job) => values.settings.checkOnly;
	const checked = valid.filter(isChecked);
	const jobs = valid.filter((job) => !isChecked(job));
	const [first] = [...jobs, ...checked, ...refused];
	if (!first) return refuseInvalid(ledger, operation);
	const { settings } = first.values;
	const access = await openService(ledger, sending, settings).catch((error: Error) => error);
	for (const job of checked) {
		// A credential that cannot be used is shown in place of its account.
		const account = access instanceof Error ? access.message : ledger.account;
		const wouldSend = { account, ...requestOf(operation, job) };
		ledger.items[job.itemIndex]!.checked = outputOf(job.values, { wouldSend });
	}
	const run = { operation, ledger, settings };
	if (!(access instanceof Error)) await lookUpKeys({ ...run, access }, [...checked, ...refused]);
	refuseInvalid(ledger, operation);
	if (jobs.length === 0) return;
	let sendOnce: SendOnce | undefined;
	try {
		if (access instanceof Error) throw access;
		if (isWriting(operation)) ledger.unknownSends ??= await claimResume(ledger);
		if (settings.sendOnceKey !== undefined) sendOnce = await SendOnce.open({ ...run, access });
		else if (ledger.unknownSends) throw ledger.unknownSends;
	} catch (error) {
		const unsent = jobs.map(({ itemIndex }) => itemIndex);
		return ledger.fail(unsent, error, 'notSent');
	}
	ledger.redact = access.session.redact;
	const services = {
		send: access.send,
		pageSize: access.pageSize,
		operation,
		maxParallelPages: Math.max(1, Math.floor(sending.maxParallel / ledger.sendable.length)),
		hint: ledger.hint.bind(ledger),
		settle: ledger.settle.bind(ledger),
	};
	const kind = kindOf(operation);
	const runTask = async (taskJobs: readonly Job[]) => {
		const itemIndexes = taskJobs.map(({ itemIndex }) => itemIndex);
		ledger.markStarted(itemIndexes, operation);
		const beforeSending = sendOnce && (() => sendOnce.assertHeld(itemIndexes));
		try {
			await kind.run({ ...services, jobs: taskJobs, beforeSending });
		} catch (error) {
			ledger.fail(itemIndexes, error, isWriting(operation) ? 'inDoubt' : 'refused');
		}
		sendOnce?.settled(itemIndexes);
	};
	try {
		const tasks = inBatches(sendOnce?.admit(jobs) ?? [jobs], kind);
		await sending.doInParallel(tasks, runTask);
	} finally {
		await sendOnce?.close();
	}
}

/**
 * Runs a node's chosen operation for all input items. With "Continue", it never throws, since n8n would then pass the
 * input items on as if they were results.
 * @param area the node's table
 * @param continueOnFail whether failed items become error items (n8n's setting "On Error")
 * @returns output items in the order of the input, each with its pairedItem
 * @throws NodeOperationError or NodeApiError that names the item, unless continueOnFail
 */
export async function run(
	ctx: IExecuteFunctions,
	area: Area,
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	const ledger = new Ledger(ctx, continueOnFail);
	if (ledger.items.length === 0) return [];
	let operation: Operation;
	try {
		operation = chosenOperation(ctx, area);
		const read = (name: string) => ctx.getNodeParameter(name, 0) as unknown;
		refuseMisplaced(operation, ctx.getNode().parameters, read);
		ledger.hint(unusedKeyHint(operation, ctx.getNode().parameters));
	} catch (error) {
		if (!continueOnFail) throw toNodeError(ctx.getNode(), asFailure(error, 'notSent'));
		ledger.fail([...ledger.items.keys()], error, 'notSent');
		return outputItems(ledger);
	}
	const sending = new SendingRun(operation, ledger.stop);
	const log = new RunLog(ledger, sending);
	let output: INodeExecutionData[] | undefined;
	try {
		await sendAll(ledger, sending).finally(() => log.end());
		return (output = conclude(ledger, operation));
	} finally {
		// There is no output, so the run ends with an error.
		if (!output && isWriting(operation) && !ledger.unknownSends) saveEnd(operation, ledger);
	}
}
