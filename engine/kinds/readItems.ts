// Reads and checks the values of all input items, and puts the problems that it finds into the ledger.
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import type { FieldProblem, ProblemsByItem } from '../failure';
import { layoutOf } from '../form/layout';
import { groupedBy, pluralize } from '../http/format';
import type { Ledger } from '../items/ledger';
import { rowsWithKeys } from '../items/report';
import { inTurns, isInLoop, timeZoneOf } from '../n8n';
import { missingColumns } from '../values/columns';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { inputHint, maxRowsCharacters } from '../values/inputHints';
import { readItem } from '../values/item';
import type { Job } from './job';
import { kindOf } from './kinds';

/** A job, and what was found when its item was read. */
export type ReadJob = Job & Pick<ReturnType<typeof readItem>, 'problems'>;

/**
 * The problem of each field in which some rows' dates can only be read in the other order of month and day: then nobody
 * knows how to read the dates that both orders can read.
 */
function orderProblems({ items }: Ledger, jobs: readonly Job[]): ReadonlyMap<string, FieldProblem> {
	const named = jobs.flatMap((job) =>
		(job.inputHints.otherOrder ?? []).map((label) => ({ label, ...job })),
	);
	const problems = [...groupedBy(named, ({ label }) => label)].map(([label, found]) => {
		const indexes = found.map(({ itemIndex }) => itemIndex);
		const rows = rowsWithKeys(items, indexes, maxRowsCharacters);
		const { datesInRows } = found[0]!.values.settings;
		const order = datesInRows === 'dayFirst' ? 'month first' : 'day first';
		const text = `is in doubt, since ${rows} can only be ${order}: correct 'Options › Dates in Rows', or the dates`;
		return [label, { label, text }] as const;
	});
	return new Map(problems);
}

/**
 * Reads all items before any is sent, because they are compared with each other: nothing may be sent twice, and a
 * broken mapping shows only across all of them. Once the run is stopped, no further item is read.
 * @param keyProblems finds problems with the keys of 'Send Once', by item index
 * @returns the jobs of valid items and of items with problems; empty if the run was stopped
 */
export async function readItems(
	operation: Operation,
	ledger: Ledger,
	keyProblems: (jobs: readonly ReadJob[]) => ProblemsByItem,
): Promise<{ valid: Job[]; refused: Job[] }> {
	const { prepare, findRepeated } = kindOf(operation);
	const { ctx, items, sendable, stop } = ledger;
	// The previous node may return items without fields, such as ones with only files.
	const rows = ctx.getInputData().map(({ json }) => objectOrEmpty(json));
	const layout = layoutOf(operation);
	const timeZone = timeZoneOf(ctx);
	const form = new SavedForm(ctx.getNode().parameters);
	const jobs: ReadJob[] = [];
	for await (const itemIndex of inTurns(sendable)) {
		if (stop.aborted) return { valid: [], refused: [] };
		const state = items[itemIndex]!;
		const json = rows[itemIndex] as IDataObject;
		const parameter = (name: string): unknown => ctx.getNodeParameter(name, itemIndex, null);
		try {
			const job = { itemIndex, ...readItem(layout, { parameter, json, timeZone, form }) };
			const { values, problems } = job;
			const problem = problems.length === 0 && (await prepare?.(ctx, job));
			if (problem) problems.push(problem);
			const { settings, includedFields } = values;
			const { sendOnceKey: key, idField } = settings;
			const { path } = values.path;
			const request = path && operation.route.replace('{+path}', () => String(path));
			Object.assign(state, { key, idField, request, includedFields });
			jobs.push(job);
		} catch (error) {
			state.problems = [{ label: '', text: (error as Error).message }];
		}
	}
	// Rows that are in the service already are not sent, so their values need not be valid.
	const isToSend = ({ values }: Job) => values.settings.sendOnceLookedUp !== 'allAreThere';
	const complete = jobs.filter((job) => isToSend(job) && job.problems.length === 0);
	const repeated = findRepeated?.(operation, complete);
	const { missing, problems } = missingColumns(form.inputsOf(layout), rows);
	const loss = `no row has the column ${missing}`;
	if (missing) ledger.hint(`Check this node's expressions: ${loss}.`, loss);
	// One row, those that a retry leaves, and those of a loop's turn are too few to prove a broken mapping.
	const isProof = rows.length > 1 && sendable.length === items.length && !isInLoop(ctx);
	const broken = isProof ? problems : [];
	const isOwn = ({ label }: FieldProblem) => !broken.some((one) => one.label === label);
	const ofOrder = orderProblems(ledger, jobs);
	const ofKeys = keyProblems(jobs);
	for (const job of jobs) {
		const values = job.problems.filter(isOwn);
		const { eitherOrder: doubtful = [] } = job.inputHints;
		job.isIncomplete = values.length > 0;
		job.keyProblem = ofKeys.get(job.itemIndex);
		const problems = [
			// A broken mapping comes first: it may be why other values are missing.
			...broken,
			...doubtful.map((label) => ofOrder.get(label)),
			repeated?.get(job.itemIndex),
			...(isToSend(job) ? values : []),
			job.keyProblem,
		];
		items[job.itemIndex]!.problems = problems.filter((one) => one !== undefined);
	}
	const isValid = ({ itemIndex }: Job) => items[itemIndex]!.problems!.length === 0;
	const valid = jobs.filter(isValid);
	const files = valid.flatMap(({ inputHints }) => inputHints.otherFiles ?? []).length;
	const unsent = files > 0 ? `${pluralize(files, 'other file')} not sent` : undefined;
	ledger.hint(inputHint(valid, sendable.length, timeZone), unsent);
	return { valid, refused: jobs.filter((job) => !isValid(job)) };
}
