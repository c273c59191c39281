// What items gave and is not sent → one text beside the output.

/** Why a field that was given has no value; an expression gives nothing with undefined or null. */
export type Why = 'nothing' | 'null' | 'empty';

export interface FieldLeftOut {
	/** What the form calls the field; an entry of a list goes by the list's name. */
	label: string;
	why: Why;
}

/** What one item gave and is not sent. */
export interface LeftOut {
	fields: readonly FieldLeftOut[];
	/** Names of the input item that match no field, with the place they stand in. */
	unknown: readonly string[];
}

/** Beside each: for one field, and for several. */
const reasons: Record<Why, readonly [string, string]> = {
	nothing: ['its expression gave nothing', 'their expressions gave nothing'],
	null: ['its value is null', 'their values are null'],
	empty: ['its value is empty', 'their values are empty'],
};

const longestName = 60;

function listed(names: readonly string[], most: number): string {
	const shown = names
		.slice(0, most)
		.map((name) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name));
	const more = names.length - shown.length;
	return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Names that match no field, beside those that would; '' without any. */
export function unknownText(names: readonly string[], known: readonly string[]): string {
	if (names.length === 0) return '';
	const [fields, match] = names.length === 1 ? ['field', 'matches'] : ['fields', 'match'];
	return `Input ${fields} ${listed(names, 10)} ${match} no field; known: ${listed(known, 20)}.`;
}

/** In how many items each field was left out; several entries of one item's list count once. */
function counted(leftOut: readonly LeftOut[]): Map<Why, Map<string, number>> {
	const counts = new Map<Why, Map<string, number>>();
	for (const { fields } of leftOut) {
		const once = new Map(fields.map((field) => [`${field.why} ${field.label}`, field]));
		for (const { label, why } of once.values()) {
			const byLabel = counts.get(why) ?? new Map<string, number>();
			counts.set(why, byLabel.set(label, (byLabel.get(label) ?? 0) + 1));
		}
	}
	return counts;
}

/** One sentence for all fields that the same number of items lack for the same reason. */
function sentences(why: Why, counts: ReadonlyMap<string, number>, items: number): string[] {
	return [...new Set(counts.values())].map((count) => {
		const labels = [...counts].flatMap(([label, of]) => (of === count ? [`'${label}'`] : []));
		const [singular, plural] = reasons[why];
		const were = labels.length === 1 ? `was left out, ${singular}` : `were left out, ${plural}`;
		return `${items === 1 ? '' : `${count} of ${items} items: `}${listed(labels, 10)} ${were}.`;
	});
}

/**
 * @param leftOut of the items that are sent
 * @param items how many items were read
 * @param known names that an input item may have
 * @returns a text of bounded length; undefined when nothing was left out
 */
export function leftOutHint(
	leftOut: readonly LeftOut[],
	items: number,
	known: readonly string[],
): string | undefined {
	const unknown = [...new Set(leftOut.flatMap((ofItem) => ofItem.unknown))];
	const texts = [
		...[...counted(leftOut)].flatMap(([why, counts]) => sentences(why, counts, items)),
		unknownText(unknown, known),
	];
	return texts.filter((text) => text !== '').join(' ') || undefined;
}
