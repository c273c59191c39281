// Runs an operation and compares the node's report on each row with the service's books.
import assert from 'node:assert/strict';

import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { nodeName, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import type { Operation } from './operations.mts';
import type { Service } from './service.mts';

const parts = await loadPackage();

/** What the node reports of a row. */
export interface ReportedRow {
	/** `success`, or the outcome of its error item; `none` if there is no output. */
	outcome: string;
	/** What a person reads of its error. */
	message?: string;
}

/**
 * @param hints the run's hints are added here @returns the node's report on each item
 */
export async function reportedRows(
	{ type, parameters }: Operation,
	items: INodeExecutionData[],
	credentials: CredentialStore,
	hints?: string[],
): Promise<ReportedRow[]> {
	const options = { maxWait: 20, timeout: 20, ...(parameters.options as IDataObject) };
	const { task, output } = await runWorkflow(
		singleNodeWorkflow({
			type: `n8n-nodes-agency-records.${type}`,
			parameters: { ...parameters, options },
			items,
			nodeSettings: { onError: 'continueRegularOutput' },
		}),
		{ ...parts, credentials },
	);
	assert.equal(task(nodeName)?.error, undefined);
	const [returned = []] = output(nodeName);
	const { hints: shown = [] } = task(nodeName) ?? {};
	hints?.push(...shown.map(({ message }) => message));
	return items.map((_, n) => {
		const own = returned.find(({ pairedItem }) => (pairedItem as IPairedItemData).item === n);
		const { error, message } = (own?.json ?? {}) as { error?: IDataObject; message?: string };
		const outcome = error ? (error.outcome as string) : own ? 'success' : 'none';
		return { outcome, message };
	});
}

/** The node's report on a row, and how often the row was processed. */
export interface ComparedRow extends ReportedRow {
	times: number;
}

/** Compares the reports on the items with the service's books. */
export const comparedRows = (
	{ books }: Service,
	items: readonly INodeExecutionData[],
	reported: readonly ReportedRow[],
): ComparedRow[] =>
	reported.map((row, n) => ({ ...row, times: books.get(items[n]!.json.entry as string) ?? 0 }));

/** The number of rows with each outcome, and of rows in doubt that do not exist. */
export function summaryOf(
	rows: readonly ComparedRow[],
): Record<string, number> & { inVain: number } {
	const counts: Record<string, number> = {};
	for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
	const inVain = rows.filter(({ outcome, times }) => outcome === 'inDoubt' && times === 0);
	return { ...counts, inVain: inVain.length };
}

/** @throws AssertionError if a row is doubled, or exists or is missing contrary to its report */
export function assertTrue(rows: readonly ComparedRow[], { isIdempotent }: Operation): void {
	const untrue = rows.filter(
		({ outcome, times }) =>
			outcome === 'none' ||
			(times > 1 && !isIdempotent) ||
			(times === 0 && ['success', 'unreadable'].includes(outcome)) ||
			(times > 0 && ['refused', 'notSent'].includes(outcome)),
	);
	assert.deepEqual(untrue, []);
}
