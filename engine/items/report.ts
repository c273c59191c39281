// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { counted, enumerate, ranges } from '../http/inWords';
import { shortened } from '../http/json';
import { itemsInWords } from './itemNames';
import {
	isFailure,
	isPartly,
	itemOutcomeOf,
	resultOutcomeOf,
	type ItemOutcome,
	type Result,
	type Results,
} from './results';

/** The most bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

const shownName = (name: unknown): string => shortened(String(name), maxNameBytes);

/** The path that a result of a bulk patch is about. */
const pathOf = (result: Result): string =>
	shownName(isFailure(result) ? result.details.path : result.path);

/** n8n's log keeps no value of an item, and no more of the service's answer than whole numbers. */
type Reader = 'person' | 'log';

/** In the order in which they are told: the words for items and paths, and the beginning of a short sentence. */
const outcomes: Array<{ outcome: ItemOutcome; inWords: string; inShort: string }> = [
	{ outcome: 'processed', inWords: 'processed', inShort: 'Done, do not send again' },
	{ outcome: 'inDoubt', inWords: 'to look up', inShort: 'Look up' },
	{ outcome: 'notProcessed', inWords: 'not processed', inShort: 'Not processed' },
];

/** The items by what became of them, each group in ascending order; groups without any are left out. */
const groupsOf = (results: Results) =>
	outcomes
		.map((words) => ({
			...words,
			items: [...results.keys()].filter((at) => itemOutcomeOf(results[at]) === words.outcome),
		}))
		.filter(({ items }) => items.length > 0);

/** Lists the paths of an item whose paths had different outcomes, by outcome. */
function pathsByOutcome(index: number, results: readonly Result[], reader: Reader): string {
	if (reader === 'log') return itemsInWords([index]);
	const groups = outcomes.flatMap(({ outcome, inWords }) => {
		const paths = results.filter((result) => resultOutcomeOf(result) === outcome).map(pathOf);
		return paths.length > 0 ? [`${inWords}: ${enumerate(paths, maxNameBytes)}`] : [];
	});
	return itemsInWords([index], groups);
}

/** The IDs of the records that were created, such as "shiftScheduleID 7–9"; nothing where there are none. */
function idsInWords(operation: Operation, results: readonly Result[], reader: Reader): string[] {
	if (!('returns' in operation)) return [];
	const { name } = operation.returns;
	const ids = results.flatMap((result) =>
		isFailure(result) || result[name] === undefined ? [] : [result[name]],
	);
	const shown = reader === 'log' ? ids.filter(Number.isSafeInteger) : ids;
	return shown.length > 0 ? [`${name} ${enumerate(ranges(shown, shownName))}`] : [];
}

const outcomeBeginnings: Record<ItemOutcome, string> = {
	processed: 'Already processed, do not send again',
	inDoubt: 'May or may not have been processed, look them up first',
	notProcessed: 'Not processed',
};

/**
 * @param results the results of all input items
 * @returns plain sentences of some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(
	operation: Operation,
	results: Results,
	reader: Reader = 'person',
): string {
	if (!isWriting(operation)) return '';
	const sentences = groupsOf(results).flatMap(({ outcome, items }) => {
		const partly = items.filter((index) => isPartly(results[index]));
		const whole = items.filter((index) => !isPartly(results[index]));
		const ids = idsInWords(
			operation,
			whole.flatMap((index) => results[index] ?? []),
			reader,
		);
		const ofPaths = partly.map((index) => pathsByOutcome(index, results[index]!, reader));
		return [
			...(partly.length > 0 ? [`Partly processed: ${enumerate(ofPaths)}.`] : []),
			...(whole.length > 0 ? [`${outcomeBeginnings[outcome]}: ${itemsInWords(whole, ids)}.`] : []),
		];
	});
	return sentences.join(' ');
}

/** The most characters of an enumeration of items in the short report. */
const maxShortCharacters = 25;

/** The same in the few characters that n8n keeps beside an execution. */
export const shortReportOf = (results: Results): string =>
	groupsOf(results)
		.map(({ inShort, items }) => {
			const rows = itemsInWords(items, [], maxShortCharacters);
			return `${inShort}: ${counted(items.length)}, ${rows}.`;
		})
		.join(' ');

/** `alreadySent` by an earlier run; `unreadable`: it was sent, but its answer could not be read. */
type End = 'sent' | 'alreadySent' | 'inDoubt' | 'unreadable' | 'refused' | 'notSent';

/** How many items have had which end. */
export type Counts = Record<End, number>;

const noCounts: Counts = {
	sent: 0,
	alreadySent: 0,
	inDoubt: 0,
	unreadable: 0,
	refused: 0,
	notSent: 0,
};

/** @param begun the items that this run has begun to send */
export function countsOf(results: Results, begun: ReadonlySet<number>): Counts {
	const counts = { ...noCounts };
	for (const [itemIndex, itemResults = []] of results.entries()) {
		const failures = itemResults.filter(isFailure);
		const outcome = itemOutcomeOf(results[itemIndex]);
		if (outcome === 'inDoubt') counts.inDoubt++;
		else if (outcome === 'notProcessed')
			counts[failures.some((failure) => failure.outcome === 'refused') ? 'refused' : 'notSent']++;
		else if (!begun.has(itemIndex)) counts.alreadySent++;
		else counts[failures.length > 0 ? 'unreadable' : 'sent']++;
	}
	return counts;
}

export function addUp(all: Iterable<Counts>): Counts {
	const sum = { ...noCounts };
	for (const counts of all) {
		for (const end of Object.keys(sum) as End[]) sum[end] += counts[end];
	}
	return sum;
}

/**
 * Such as "3 sent, 57 failed: 50 refused, 7 not sent", or "58 sent, 2 failed: not sent". Who looks for failures
 * searches for "failed".
 * @param operation a read gives rows, and sends none
 */
export function countsInWords(operation: Operation, counts: Counts): string {
	const { sent, alreadySent, inDoubt, unreadable, refused, notSent } = counts;
	type Named = [count: number, words: string];
	const thereAre = (named: Named[]) => named.filter(([count]) => count > 0);
	const inWords = (named: Named[]) =>
		thereAre(named).map(([count, words]) => `${counted(count)} ${words}`);
	const kinds = thereAre([
		[inDoubt, 'in doubt'],
		[unreadable, 'sent, but the answer could not be read'],
		[refused, 'refused'],
		[notSent, 'not sent'],
	]);
	const why = kinds.length === 1 ? kinds[0]![1] : inWords(kinds).join(', ');
	return inWords([
		[sent, isWriting(operation) ? 'sent' : 'read'],
		[alreadySent, 'already sent'],
		[inDoubt + unreadable + refused + notSent, `failed: ${why}`],
	]).join(', ');
}
