// Collects values that were given but not sent, or sent although they look unusual, and lists them in one hint next to
// the output.
import { adviceAllFiles } from '../form/settings';
import { joinUpTo, groupedBy, ranges } from '../http/format';
import { invisibleIn } from '../http/invisible';
import { truncate } from '../http/json';

/** The start of the sentence for each kind of hint. */
const hintTexts = (timeZone: string) => ({
	omittedFields: 'Sent without these fields, which are empty:',
	localTimes: `Read as times in ${timeZone}, the workflow's time zone (00:00 for a date alone):`,
	utcTimes: `Given in UTC (ending in Z), and so other clock times in ${timeZone}:`,
	yesAndNo: 'Yes and No were read as true and false:',
	otherWords: 'Sent as given, but not known to be accepted:',
	tidiedLists: 'Read without empty entries, and without spaces around entries:',
	unlikelyDates: 'Before 1970-01-02 or after 2100, as for a missing date or another number:',
	severalLists: 'Sent as lists of which each path gets all values, not as pairs:',
	unknownNames: 'Not sent because this operation has no such field:',
	otherFiles: `Not sent because an item sends one file (for all, ${adviceAllFiles}):`,
	emptyFiles: 'Empty (0 bytes):',
});

/** The last two are of dates that the other order of month and day can read, too, or it alone. */
export type HintKind = keyof ReturnType<typeof hintTexts> | 'eitherOrder' | 'otherOrder';

/** The hints about one item's input: labels of fields, or names of columns or files. */
export type InputHints = Partial<Record<HintKind, string[]>>;

/** A name of any length and with any characters, made fit for a message. */
export function shortName(name: string): string {
	const looks = invisibleIn(name);
	return truncate(name, 60) + (looks ? ` (which ${looks})` : '');
}

export const namesListed = (names: readonly string[]) => joinUpTo(names.map(shortName), 500);

/** Maximum characters for the list of rows with the same name. */
export const maxRowsCharacters = 40;

/**
 * The hint for all items together.
 * @param items to send
 * @param itemCount the number of items that were read
 * @param timeZone of the workflow
 * @returns a text of bounded length; undefined if there are no hints
 */
export function inputHint(
	items: ReadonlyArray<{ itemIndex: number; inputHints: InputHints }>,
	itemCount: number,
	timeZone: string,
): string | undefined {
	const kinds = Object.entries(hintTexts(timeZone)) as Array<[HintKind, string]>;
	const sentences = kinds.flatMap(([kind, words]) => {
		const named = items.flatMap(({ itemIndex, inputHints }) =>
			[...new Set(inputHints[kind] ?? [])].map((name) => ({ name, row: itemIndex + 1 })),
		);
		if (named.length === 0) return [];
		const texts = [...groupedBy(named, ({ name }) => name)].map(([name, places]) => {
			const rows = places.map(({ row }) => row);
			if (rows.length === itemCount) return `'${shortName(name)}'`;
			const listed = joinUpTo(ranges(rows, String), maxRowsCharacters);
			return `'${shortName(name)}' (row${rows.length > 1 ? 's' : ''} ${listed})`;
		});
		return [`${words} ${joinUpTo(texts, 500)}.`];
	});
	return sentences.join(' ') || undefined;
}
