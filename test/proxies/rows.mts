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
	output: INodeExecutionData[];
}

/** @returns what the node reports of each item */
export async function reportedRows(
	{ type, parameters }: Operation,
	items: INodeExecutionData[],
	credentials: CredentialStore,
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
	return items.map((_, n) => {
		const own = returned.filter(({ pairedItem }) => (pairedItem as IPairedItemData).item === n);
		const error = own.find(({ json }) => json.error)?.json.error as IDataObject | undefined;
		const outcome = error ? (error.outcome as string) : own.length > 0 ? 'success' : 'none';
		return { outcome, output: own };
	});
}

/** A row's outcome, and how often the row was done. */
export interface ComparedRow {
	outcome: string;
	times: number;
}

/** Compares what was reported of the items with the books of the service. */
export const comparedRows = (
	{ timesDone }: Operation,
	service: Service,
	items: readonly INodeExecutionData[],
	reported: readonly ReportedRow[],
): ComparedRow[] =>
	reported.map(({ outcome, output }, n) => ({
		outcome,
		times: timesDone(service, items[n]!, output),
	}));

const count = (rows: readonly ComparedRow[], outcomes: readonly string[], isThere?: boolean) =>
	rows.filter(
		({ outcome, times }) =>
			outcomes.includes(outcome) && (isThere === undefined || times > 0 === isThere),
	).length;

/** How many rows have each outcome, and how many of those in doubt are not there. */
export function summaryOf(
	rows: readonly ComparedRow[],
): Record<string, number> & { inVain: number } {
	const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort();
	const counts = outcomes.map((outcome) => [outcome, count(rows, [outcome])] as const);
	return { ...Object.fromEntries(counts), inVain: count(rows, ['inDoubt'], false) };
}

/** @throws AssertionError when a row is doubled, or is there or missing against what was reported of it */
export function assertTrue(rows: readonly ComparedRow[], { isIdempotent }: Operation): void {
	const untrue = {
		withoutReport: count(rows, ['none']),
		doubled: isIdempotent ? 0 : rows.filter(({ times }) => times > 1).length,
		reportedButMissing: count(rows, ['success', 'unreadable'], false),
		refusedButThere: count(rows, ['refused', 'notSent'], true),
	};
	const nothing = Object.fromEntries(Object.keys(untrue).map((name) => [name, 0]));
	assert.deepEqual(untrue, nothing, JSON.stringify(untrue));
}
