// Puts the outcomes of a run's rows into words: the report of a run that stopped halfway, and the counts of any run.
import { isCreating, isWriting, type Operation } from '../area';
import { formatCount, groupedBy, itemsInWords, joinUpTo, pluralize, ranges } from '../http/format';
import { truncate } from '../http/json';
import { outcomeNames, outcomes, type Outcome } from '../outcome';
import {
	isFailure,
	outcomeOfItem,
	outcomeOfResult,
	type ItemState,
	type Result,
} from './itemState';

/** Whether an item in doubt may be resent without harm (RFC 9110 §9.2.2). */
const isRepeatable = ({ route }: Operation): boolean => route.startsWith('DELETE ');

/** Maximum bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

const shownName = (name: unknown): string => truncate(String(name), maxNameBytes);

/** The path that a result of a bulk patch is about. */
const pathOf = (result: Result): string =>
	shownName(isFailure(result) ? result.details.path : result.path);

/** Lists an item's paths by outcome. */
const pathsByOutcome = (results: readonly Result[]): string[] =>
	[...groupedBy(results, outcomeOfResult)].map(
		([outcome, alike]) =>
			`${outcomes[outcome].label}: ${joinUpTo(alike.map(pathOf), maxNameBytes)}`,
	);

/** The IDs in these results, such as ["shiftScheduleID 7–9"]; empty if there are none. */
function idsInWords(operation: Operation, results: readonly Result[], isForLog: boolean): string[] {
	if (!('returns' in operation)) return [];
	const { name } = operation.returns;
	const ids = results.flatMap((result) => (isFailure(result) ? [] : result[name]));
	const shown = ids.filter((id) => (isForLog ? Number.isSafeInteger(id) : id !== undefined));
	return shown.length === 0 ? [] : [`${name} ${joinUpTo(ranges(shown, shownName))}`];
}

/** The ID of the record that an item created; undefined for an ID that is already in the request's path. */
function newIdOf(operation: Operation, { results, idField = '', request = '' }: ItemState) {
	const name = 'returns' in operation ? operation.returns.name : idField;
	const [result] = results ?? [];
	if (!isCreating(operation) || !result || isFailure(result)) return undefined;
	const id = result[name] as number | string | undefined;
	return request.split('/').includes(`${id}`) ? undefined : id;
}

/** The hint that several rows got the same new ID, so that some of their records may not exist. */
export function sameIdHint(operation: Operation, all: readonly ItemState[]): string | undefined {
	const byId = groupedBy([...all.keys()], (index) => newIdOf(operation, all[index]!));
	byId.delete(undefined);
	const alike = [...byId.values()].filter(({ length }) => length > 1).flat();
	if (alike.length === 0) return undefined;
	const rows = itemsInWords(alike.sort((one, other) => one - other));
	return `The service gave several rows the same ID: ${rows}. Look them up: a cache in front of the service may have answered in its place.`;
}

/** The indexes of the items by outcome, each in ascending order. */
const rowsByOutcome = (items: readonly ItemState[]): ReadonlyMap<Outcome, readonly number[]> =>
	groupedBy([...items.keys()], (index) => outcomeOfItem(items[index]!));

/**
 * Reports which items the service has processed, and which it has not, if the run ends now.
 * @param all the input items
 * @param isForLog whether to leave out what n8n's log must not have: item values, and what the service sent except whole
 * numbers
 * @returns plain sentences, about ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(
	operation: Operation,
	all: readonly ItemState[],
	isForLog = false,
): string {
	if (!isWriting(operation)) return '';
	const resultsOf = (index: number) => all[index]!.results ?? [];
	const headingOf = (outcome: Outcome): string =>
		outcome === 'inDoubt' && isRepeatable(operation)
			? 'May or may not have been processed, run them again'
			: outcomes[outcome].heading;
	const rows = groupedBy([...all.keys()], (index) => headingOf(outcomeOfItem(all[index]!)));
	const sentences = [...new Set(outcomeNames.map(headingOf))].flatMap((heading) => {
		const items = rows.get(heading);
		if (!items) return [];
		const named =
			heading === outcomes.partly.heading && !isForLog
				? joinUpTo(items.map((index) => itemsInWords([index], pathsByOutcome(resultsOf(index)))))
				: itemsInWords(items, idsInWords(operation, items.flatMap(resultsOf), isForLog));
		return [`${heading}: ${named}.`];
	});
	return sentences.join(' ');
}

type Counts = Partial<Record<Outcome, number>>;

/** The number of items per outcome. */
export const countsOf = (items: readonly ItemState[]): Counts =>
	Object.fromEntries([...rowsByOutcome(items)].map(([outcome, { length }]) => [outcome, length]));

/** Maximum characters for each list of items within the counts. */
const maxNamedCharacters = 25;

export const isFailed = (outcome: string): boolean =>
	!['sent', 'alreadySent', 'changed', 'checked'].includes(outcome);

/** @param labelOf what follows the count of an outcome */
function inWords(counts: Counts, labelOf: (outcome: Outcome) => string): string {
	const present = outcomeNames.filter((outcome) => counts[outcome]);
	const count = (outcome: Outcome) => `${formatCount(counts[outcome]!)} ${labelOf(outcome)}`;
	const failed = present.filter(isFailed);
	const parts = present.filter((outcome) => !isFailed(outcome)).map(count);
	if (failed.length === 0) return parts.join(', ');
	const why = failed.length === 1 ? labelOf(failed[0]!) : failed.map(count).join(', ');
	const sum = failed.reduce((total, outcome) => total + counts[outcome]!, 0);
	return [...parts, `${formatCount(sum)} failed: ${why}`].join(', ');
}

/**
 * The number of items per outcome, such as "3 sent, 57 failed: 50 refused [rows 4–53 (items 3–52)], 7 not sent [rows
 * 54–60 (items 53–59)]". Logs can be searched for "failed".
 */
export function countsInWords(operation: Operation, items: readonly ItemState[]): string {
	const rows = rowsByOutcome(items);
	return inWords(countsOf(items), (outcome) => {
		if (outcome === 'sent' && !isWriting(operation)) return 'read';
		const { label } = outcomes[outcome];
		if (!isFailed(outcome)) return label;
		return `${label} [${itemsInWords(rows.get(outcome)!, [], maxNamedCharacters)}]`;
	});
}

/** What one run leaves for the entry that n8n saves with its execution. */
export interface EndedRun {
	/** The description of its account, once that was known. */
	account: string | undefined;
	counts: Counts;
	/** If items failed: the node's name, and the counts in words. */
	failed: string | undefined;
	losses: readonly string[];
}

/**
 * The entry of an execution: by account, the sum of its runs; then losses; then the rows of each run with failures, the
 * latest first, because n8n cuts the end off.
 */
export function entryOf(runs: readonly EndedRun[]): string {
	const failures = runs.flatMap(({ failed }) => failed ?? []).reverse();
	const [only] = runs.length === 1 ? failures : [];
	const sums = [...groupedBy(runs, ({ account }) => account)].map(([account, alike]) => {
		const sumOf = (outcome: Outcome) =>
			alike.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0);
		const counts = Object.fromEntries(outcomeNames.map((outcome) => [outcome, sumOf(outcome)]));
		const words = only ?? inWords(counts, (outcome) => outcomes[outcome].label);
		return account === undefined ? words : `as ${account}: ${words}`;
	});
	const losses = new Set(runs.flatMap((run) => run.losses));
	return [...sums.filter(Boolean), ...losses, ...(only ? [] : failures)].join('; ');
}

/**
 * The hint that says what happened to the rows and what running the node again would do; undefined if all rows were
 * sent now, or only read.
 */
export function rowsHint(operation: Operation, items: readonly ItemState[]): string | undefined {
	const rows = rowsByOutcome(items);
	const countOf = (...some: Outcome[]) => some.flatMap((outcome) => rows.get(outcome) ?? []).length;
	const all = items.length;
	if (!isWriting(operation) || countOf('sent') === all) return undefined;
	const isKeyed = items.some(({ key }) => key !== undefined);
	const counts = `Of ${pluralize(all, 'row')}: ${countsInWords(operation, items)}.`;
	const checkedRows = pluralize(countOf('checked'), 'checked row');
	if (rows.has('checked'))
		return `${counts} To send the ${checkedRows}, run the node without 'Check Only'.`;
	const processed = countOf('sent', 'alreadySent', 'changed', 'unreadable', 'partly');
	if (processed === all || (processed === 0 && !isKeyed)) return counts;
	const doubtful = isRepeatable(operation) ? 0 : countOf('unreadable', 'partly', 'inDoubt');
	const lookUp = `${pluralize(doubtful, 'record')} may be there already: look before you resend.`;
	const rest = doubtful > 0 ? 'those that are not there' : 'the failed rows';
	const resendRest = `Running this node again would resend every row: run it with only ${rest}. With 'Send Once' set before the first run, a second run sends only what is missing.`;
	const unsent = countOf('awaited', 'refused', 'notSent');
	const sendUnsent = `To send the ${formatCount(unsent)} that were refused or not sent, correct what their messages name, then run the node again.`;
	const toDo = isKeyed ? unsent > 0 && sendUnsent : resendRest;
	return [counts, doubtful > 0 && lookUp, toDo].filter(Boolean).join(' ');
}
