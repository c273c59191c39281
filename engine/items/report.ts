// Puts the outcomes of a run's rows into words: the report of a run that stopped halfway, and the counts of any run.
import { isCreating, isWriting, type Operation } from '../area';
import { formatCount, groupedBy, itemsInWords, joinUpTo, pluralize, ranges } from '../http/format';
import { truncate } from '../http/json';
import { outcomeNames, outcomes, type Outcome } from '../outcome';
import { isFailure, outcomeOfItem, type ItemState, type Result } from './itemState';

/** Whether an item in doubt may be resent without harm (RFC 9110 §9.2.2). */
const isRepeatable = ({ route }: Operation): boolean => route.startsWith('DELETE ');

/** Maximum bytes of an ID; longer ones are cut off. */
const maxIdBytes = 200;

const shownId = (id: unknown): string => truncate(String(id), maxIdBytes);

/** Maximum rows of a list that are named with their keys, and bytes of a key. */
const [maxKeys, maxKeyBytes] = [3, 40];

/**
 * Names rows with itemsInWords(), the first of them with their keys too, such as 'keys "a", "b", "c", …'.
 * @param all the input items; none for a text without keys, such as n8n's log
 */
export function rowsWithKeys(
	all: readonly ItemState[],
	indexes: readonly number[],
	maxCharacters?: number,
	details: readonly string[] = [],
): string {
	const keys = indexes.slice(0, maxKeys).flatMap((index) => all[index]?.key || []);
	const names = keys.map((key) => `"${truncate(key, maxKeyBytes)}"`).join(', ');
	const more = indexes.length > maxKeys ? ', …' : '';
	const named = names === '' ? [] : [`key${indexes.length === 1 ? '' : 's'} ${names}${more}`];
	return itemsInWords(indexes, [...named, ...details], maxCharacters);
}

/** The IDs in these results, such as ["shiftScheduleID 7–9"]; empty if there are none. */
function idsInWords(operation: Operation, results: readonly Result[], isForLog: boolean): string[] {
	if (!('returns' in operation)) return [];
	const { name } = operation.returns;
	const ids = results.flatMap((result) => (isFailure(result) ? [] : result[name]));
	const shown = ids.filter((id) => (isForLog ? Number.isSafeInteger(id) : id !== undefined));
	return shown.length === 0 ? [] : [`${name} ${joinUpTo(ranges(shown, shownId))}`];
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
	alike.sort((one, other) => one - other);
	return `The service gave several rows the same ID: ${rowsWithKeys(all, alike)}. Look them up: a cache in front of the service may have answered in its place.`;
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
export function reportOf(operation: Operation, all: readonly ItemState[], isForLog = false) {
	if (!isWriting(operation)) return '';
	const headingOf = (outcome: Outcome): string =>
		outcome === 'inDoubt' && isRepeatable(operation)
			? 'May or may not have been processed, run them again'
			: outcomes[outcome].heading;
	const rows = groupedBy([...all.keys()], (index) => headingOf(outcomeOfItem(all[index]!)));
	const sentences = [...new Set(outcomeNames.map(headingOf))].flatMap((heading) => {
		const items = rows.get(heading);
		if (!items) return [];
		const results = items.flatMap((index) => all[index]!.results ?? []);
		const ids = idsInWords(operation, results, isForLog);
		return [`${heading}: ${rowsWithKeys(isForLog ? [] : all, items, undefined, ids)}.`];
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

/** @param labelOf gives the words that follow the count of an outcome */
function inWords(counts: Counts, labelOf = (outcome: Outcome) => outcomes[outcome].label) {
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
export function countsInWords(operation: Operation, all: readonly ItemState[], isForLog = true) {
	const rows = rowsByOutcome(all);
	return inWords(countsOf(all), (outcome) => {
		if (outcome === 'sent' && !isWriting(operation)) return 'read';
		const { label } = outcomes[outcome];
		if (!isFailed(outcome)) return label;
		const named = rowsWithKeys(isForLog ? [] : all, rows.get(outcome)!, maxNamedCharacters);
		return `${label} [${named}]`;
	});
}

/** What runs leave for the entry that n8n saves with their execution. */
export interface EndedRuns {
	accounts: string[];
	counts: Counts;
	losses: string[];
	/** The node's name and the rows, for the latest runs with failures. */
	failures: string[];
}

/** The number of runs whose failed rows an entry may name; n8n cuts its end off. */
const maxFailures = 5;

/** Adds up runs, in the order in which they ended. */
export function sumOf(runs: readonly EndedRuns[]): EndedRuns {
	const unique = (name: 'accounts' | 'losses') => [...new Set(runs.flatMap((run) => run[name]))];
	const count = (name: Outcome) => runs.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
	return {
		accounts: unique('accounts'),
		counts: Object.fromEntries(outcomeNames.map((outcome) => [outcome, count(outcome)])),
		losses: unique('losses'),
		failures: runs.flatMap(({ failures }) => failures).slice(-maxFailures),
	};
}

/** The entry of an execution: the sum of its runs, or the rows of its only one; then losses and the latest failures. */
export function entryOf(runs: readonly EndedRuns[]): string {
	const { accounts, counts, losses, failures } = sumOf(runs);
	const only = runs.length === 1 ? failures.pop() : undefined;
	const whose = accounts.length > 0 ? `as ${accounts.join(' and ')}: ` : '';
	return [whose + (only ?? inWords(counts)), ...losses, ...failures.reverse()].join('; ');
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
	const counts = `Of ${pluralize(all, 'row')}: ${countsInWords(operation, items, false)}.`;
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
	const sendUnsent =
		'To send the rows that were refused or not sent, correct what their messages name, then run the node again.';
	const toDo = isKeyed ? unsent > 0 && sendUnsent : resendRest;
	return [counts, doubtful > 0 && lookUp, toDo].filter(Boolean).join(' ');
}
