// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { counted, enumerate } from '../http/inWords';
import { shortened } from '../http/json';
import { itemsInWords, ranges } from './itemNames';
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

/** The same in numbers alone. */
export const countsInWords = (results: Results): string =>
	groupsOf(results)
		.map(({ inWords, items }) => `${counted(items.length)} ${inWords}`)
		.join(', ');
