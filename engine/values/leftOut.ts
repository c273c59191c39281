// What items gave that is not sent, or is sent but looks odd → one text beside the output.
import type { ReversedDates } from './dateOrder';

/** Why a field that was given has no value; an expression gives nothing with undefined, null or ''. */
export type LeftOutReason = 'nothing' | 'null' | 'empty';

export interface FieldLeftOut {
	/** What the form calls the field; an entry of a list goes by the list's name. */
	label: string;
	why: LeftOutReason;
}

/** A name that matches no field. */
export interface UnknownName {
	/** With the place it stands in. */
	name: string;
	/** The field that was meant, if one is like it. */
	suggestion?: string;
}

/** What one item gave and is not sent. */
export interface LeftOut {
	fields: readonly FieldLeftOut[];
	/** Of the input item. */
	unknownNames: readonly UnknownName[];
	/** Sent as they are. */
	reversedDates: readonly ReversedDates[];
}

/** Beside each: for one field, and for several. */
const reasonInWords: Record<LeftOutReason, readonly [string, string]> = {
	nothing: ['its expression gave nothing', 'their expressions gave nothing'],
	null: ['its value is null', 'their values are null'],
	empty: ['its value is empty', 'their values are empty'],
};

const maxListedNameLength = 60;

function namesUpTo(names: readonly string[], most: number): string {
	const shown = names
		.slice(0, most)
		.map((name) =>
			name.length > maxListedNameLength ? `${name.slice(0, maxListedNameLength)}…` : name,
		);
	const more = names.length - shown.length;
	return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export const namesListed = (names: readonly string[]): string => namesUpTo(names, 20);

/** Each name once, with the one that was meant. */
export function unknownNamesListed(strangers: readonly UnknownName[]): string {
	const once = new Map(strangers.map((stranger) => [stranger.name, stranger]));
	const texts = [...once.values()].map(({ name, suggestion }) =>
		suggestion === undefined ? name : `${name} (did you mean ${suggestion}?)`,
	);
	return namesUpTo(texts, 10);
}

/** Names that match no field, beside those that would; '' without any. */
function unknownText(strangers: readonly UnknownName[], known: readonly string[]): string {
	if (strangers.length === 0) return '';
	const isOne = new Set(strangers.map(({ name }) => name)).size === 1;
	const [fields, match] = isOne ? ['field', 'matches'] : ['fields', 'match'];
	return `Input ${fields} ${unknownNamesListed(strangers)} ${match} no field; known: ${namesListed(known)}.`;
}

/** In how many items each text stands; several times in one count once. */
function counted(items: ReadonlyArray<readonly string[]>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const texts of items) {
		for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return counts;
}

const inSome = (count: number, items: number): string =>
	items === 1 ? '' : `${count} of ${items} items: `;

/** One sentence for all fields that the same number of items lack for the same reason. */
function leftOutSentences(
	leftOut: readonly LeftOut[],
	why: LeftOutReason,
	items: number,
): string[] {
	const labels = leftOut.map(({ fields }) =>
		fields.flatMap((field) => (field.why === why ? [`'${field.label}'`] : [])),
	);
	const counts = counted(labels);
	return [...new Set(counts.values())].map((count) => {
		const same = [...counts].flatMap(([label, of]) => (of === count ? [label] : []));
		const [singular, plural] = reasonInWords[why];
		const were = same.length === 1 ? `was left out, ${singular}` : `were left out, ${plural}`;
		return `${inSome(count, items)}${namesUpTo(same, 10)} ${were}.`;
	});
}

function reversedSentences(leftOut: readonly LeftOut[], items: number): string[] {
	const texts = leftOut.map(({ reversedDates }) =>
		reversedDates.map(({ end, begin }) => `'${end}' is before '${begin}'; it was sent like this.`),
	);
	return [...counted(texts)].map(([text, count]) => `${inSome(count, items)}${text}`);
}

/**
 * @param leftOut of the items that are sent
 * @param items how many items were read
 * @param known names that an input item may have
 * @returns a text of bounded length; undefined when there is nothing to say
 */
export function leftOutHint(
	leftOut: readonly LeftOut[],
	items: number,
	known: readonly string[],
): string | undefined {
	const whys = Object.keys(reasonInWords) as LeftOutReason[];
	const texts = [
		...whys.flatMap((why) => leftOutSentences(leftOut, why, items)),
		...reversedSentences(leftOut, items),
		unknownText(
			leftOut.flatMap(({ unknownNames }) => unknownNames),
			known,
		),
	];
	return texts.filter((text) => text !== '').join(' ') || undefined;
}
