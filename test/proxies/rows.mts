// Runs an operation, and compares what the node reports of each row with the service's books.
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
	/** `success`, or the outcome of its error item; `none` when nothing came of it. */
	outcome: string;
	/** What a person reads of its error. */
	message?: string;
}

/**
 * @param hints to which those of the run are added
 * @returns what the node reports of each item
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

/** What the node reports of a row, and how often the row was done. */
export interface ComparedRow extends ReportedRow {
	times: number;
}

/** Compares what was reported of the items with the books of the service. */
export const comparedRows = (
	{ books }: Service,
	items: readonly INodeExecutionData[],
	reported: readonly ReportedRow[],
): ComparedRow[] =>
	reported.map((row, n) => ({ ...row, times: books.get(items[n]!.json.entry as string) ?? 0 }));

/** How many rows have each outcome, and how many of those in doubt are not there. */
export function summaryOf(
	rows: readonly ComparedRow[],
): Record<string, number> & { inVain: number } {
	const counts: Record<string, number> = {};
	for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
	const inVain = rows.filter(({ outcome, times }) => outcome === 'inDoubt' && times === 0);
	return { ...counts, inVain: inVain.length };
}

/** @throws AssertionError when a row is doubled, or is there or missing against what was reported of it */
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
