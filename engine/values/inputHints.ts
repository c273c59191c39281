// Collects what the items gave without it being sent, or what was sent but looks unusual, and says it in one hint
// beside the output.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { labelOf } from '../form/labels';
import { joinUpTo, groupedBy, ranges } from '../http/format';
import { truncate } from '../http/json';

/** The beginning of the sentence for each kind of hint. */
const hintTexts = (timeZone: string) => ({
	omittedFields: 'Left out because empty',
	localTimes: `Read as times in ${timeZone}, the workflow's time zone (00:00 for a date alone)`,
	yesAndNo: 'Yes and No were read as true and false',
	tidiedLists: 'Read without empty entries, and without spaces around entries',
	reversedDates: 'The end is before the start',
	unknownNames: 'Not sent because this operation has no such field',
	otherFiles:
		'Not sent because an item sends one file (for all, put a Split Out node with $binary before this node)',
	emptyFiles: 'Empty (0 bytes)',
});

type HintKind = keyof ReturnType<typeof hintTexts>;

/** The hints about one item's input: the labels of fields, and the names of columns and files. */
export type InputHints = Partial<Record<HintKind, readonly string[]>>;

/** A name that may have any length, as a message shows it. */
const shortName = (name: string): string => truncate(name, 60);

export const namesListed = (names: readonly string[]): string =>
	joinUpTo(names.map(shortName), 500);

/**
 * The labels of fields with an end before its start. It is only mentioned, since the service may allow it.
 * @param values have been checked: dates and times are ISO 8601
 */
export const reversedDates = (fields: readonly Field[], values: IDataObject): string[] =>
	fields
		.filter(
			(end) =>
				'startField' in end &&
				Date.parse(values[end.name] as string) < Date.parse(values[end.startField!] as string),
		)
		.map(labelOf);

/** The most characters of the rows that have one name. */
const maxRowsCharacters = 40;

/**
 * @param hintsByItem of the items that are sent, by their indexes
 * @param itemCount how many items were read
 * @param timeZone of the workflow
 * @returns a text of bounded length; undefined when there is nothing to say
 */
export function inputHint(
	hintsByItem: ReadonlyMap<number, InputHints>,
	itemCount: number,
	timeZone: string,
): string | undefined {
	const kinds = Object.entries(hintTexts(timeZone)) as Array<[HintKind, string]>;
	const sentences = kinds.flatMap(([kind, words]) => {
		const named = [...hintsByItem].flatMap(([itemIndex, inputHints]) =>
			[...new Set(inputHints[kind] ?? [])].map((name) => ({ name, row: itemIndex + 1 })),
		);
		if (named.length === 0) return [];
		const texts = [...groupedBy(named, ({ name }) => name)].map(([name, places]) => {
			const rows = places.map(({ row }) => row);
			const listed = joinUpTo(ranges(rows, String), maxRowsCharacters);
			const where =
				rows.length === itemCount ? '' : ` (row${rows.length > 1 ? 's' : ''} ${listed})`;
			return `'${shortName(name)}'${where}`;
		});
		return [`${words}: ${joinUpTo(texts, 500)}.`];
	});
	return sentences.join(' ') || undefined;
}
