// Runs a node's operation, in the steps that all nodes share: form → values → request → send → response → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Area, type Operation } from './area';
import { chosenOperation } from './form/form';
import { refuseMisplaced, unusedKeyHint } from './form/misplaced';
import { asFailure, toNodeError } from './items/errors';
import { Ledger } from './items/ledger';
import { conclude, outputItems, refuseInvalid } from './items/nodeOutput';
import { inBatches, outputOf, requestOf, type Job } from './kinds/job';
import { kindOf, maxParallelOf } from './kinds/kinds';
import { readItems } from './kinds/readItems';
import { RunLog } from './log';
import { claimResume, restoreEnd, saveEnd } from './once/executionResume';
import { keyProblems } from './once/keyRules';
import { SendOnce, type Run } from './once/sendOnce';
import { SendingRun } from './send/sendingRun';
import { openServiceAccess, type ServiceAccess } from './send/serviceAccess';
import { assertOneAccount } from './send/storedCredential';

/**
 * Opens the service.
 * @param job any that is to be sent: what holds for the run is the same for all
 * @throws Failure if nothing can be sent
 */
async function openService(ledger: Ledger, sending: SendingRun, job: Job): Promise<ServiceAccess> {
	const { ctx, sendable, stop } = ledger;
	sending.maxParallel = maxParallelOf(sending.operation, job.values.settings);
	const access = await openServiceAccess(ctx, sending);
	ledger.redact = access.session.redact;
	ledger.account = access.session.account.label;
	await assertOneAccount(ctx, access.credentials, sendable, stop);
	return access;
}

/** @param account a credential that cannot be used is shown in place of its account */
function showChecked(operation: Operation, ledger: Ledger, jobs: readonly Job[], account?: string) {
	for (const job of jobs) {
		const wouldSend = { account, ...requestOf(operation, job) };
		ledger.items[job.itemIndex]!.checked = outputOf(job.values, { wouldSend });
	}
}

/**
 * Sends jobs in parallel. The ledger gets a result for each that was started.
 * @param keys may keep jobs from being sent
 */
async function send(run: Run, sending: SendingRun, jobs: readonly Job[], keys?: SendOnce) {
	const { operation, ledger, access } = run;
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
		const beforeSending = keys && (() => keys.assertHeld(itemIndexes));
		try {
			await kind.run({ ...services, jobs: taskJobs, beforeSending });
		} catch (error) {
			await ledger.fail(itemIndexes, error, isWriting(operation) ? 'inDoubt' : 'refused');
		}
		keys?.settled(itemIndexes);
	};
	await sending.doInParallel(inBatches(keys?.admit(jobs) ?? [jobs], kind), runTask);
}

/** Reads all items, settles those that are not sent, and sends the others. */
async function readAndSend(ledger: Ledger, sending: SendingRun): Promise<void> {
	const { operation } = sending;
	if (isWriting(operation)) restoreEnd(operation, ledger);
	const { valid, refused } = await readItems(operation, ledger, (jobs) =>
		keyProblems(operation, ledger.ctx, jobs),
	);
	const isChecked = ({ values }: Job) => values.settings.checkOnly;
	const checked = valid.filter(isChecked);
	const toSend = valid.filter((job) => !isChecked(job));
	const jobs = [...toSend, ...checked, ...refused];
	const [first] = jobs;
	if (!first) return await refuseInvalid(ledger, operation);
	const unsent = toSend.map(({ itemIndex }) => itemIndex);
	let access: ServiceAccess;
	try {
		access = await openService(ledger, sending, first);
	} catch (error) {
		showChecked(operation, ledger, checked, (error as Error).message);
		await refuseInvalid(ledger, operation);
		return await ledger.fail(unsent, error, 'notSent');
	}
	const run: Run = { operation, ledger, access, settings: first.values.settings };
	const hasKeys = jobs.some(({ values }) => values.settings.sendOnceKey !== undefined);
	const keys = hasKeys ? new SendOnce(run) : undefined;
	try {
		showChecked(operation, ledger, checked, ledger.account);
		await keys?.lookUp([...checked, ...refused]);
		await refuseInvalid(ledger, operation);
		if (toSend.length === 0) return;
		if (isWriting(operation)) await claimResume(ledger);
		const { unknownSends } = ledger;
		if (unknownSends && !keys) return await ledger.fail(unsent, unknownSends, 'notSent');
		await send(run, sending, toSend, keys);
	} finally {
		await keys?.close();
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
		await ledger.fail(ledger.items.keys(), error, 'notSent');
		return await outputItems(ledger);
	}
	const sending = new SendingRun(operation, ledger.stop);
	const log = new RunLog(ledger, sending);
	let output: INodeExecutionData[] | undefined;
	try {
		await readAndSend(ledger, sending).finally(() => log.end());
		return (output = await conclude(ledger, operation));
	} finally {
		// There is no output, so the run ends with an error.
		if (!output && isWriting(operation) && !ledger.unknownSends) saveEnd(operation, ledger);
	}
}
