// Collects what the items gave without it being sent, or what was sent but looks unusual, and says it in one hint
// beside the output.
import type { ReversedDates } from './dateOrder';

/** Why a field that was given has no value. An expression gives nothing with undefined, null or ''. */
export type OmissionReason = 'nothing' | 'null' | 'empty';

export interface OmittedField {
	/** The field's label on the form; all entries of a list have the list's label. */
	label: string;
	reason: OmissionReason;
}

/** A name that matches no field. */
export interface UnknownName {
	/** With the names of the fields that it is inside. */
	name: string;
	/** The field that was probably meant. */
	suggestion?: string;
	/** The field that was certainly meant, if it has no value under its own name. */
	nearMiss?: string;
}

/** What is to be said about one item's input. */
export interface InputRemarks {
	/** Given without a value, and not sent. */
	omittedFields: readonly OmittedField[];
	/** Names in the input item that no field has, and that were not sent. */
	unknownNames: readonly UnknownName[];
	/** Sent although the end is before the start. */
	reversedDates: readonly ReversedDates[];
}

/** For each reason the words for one field, and those for several. */
const reasonInWords: Record<OmissionReason, readonly [string, string]> = {
	nothing: ['its expression gave nothing', 'their expressions gave nothing'],
	null: ['its value is null', 'their values are null'],
	empty: ['its value is empty', 'their values are empty'],
};

const maxListedNameLength = 60;

function namesUpTo(names: readonly string[], maxNames: number): string {
	const listed = names
		.slice(0, maxNames)
		.map((name) =>
			name.length > maxListedNameLength ? `${name.slice(0, maxListedNameLength)}…` : name,
		);
	const more = names.length - listed.length;
	return listed.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export const namesListed = (names: readonly string[]): string => namesUpTo(names, 20);

/** Lists each name once, with its suggestion. */
export function unknownNamesListed(unknownNames: readonly UnknownName[]): string {
	const byName = new Map(unknownNames.map((unknownName) => [unknownName.name, unknownName]));
	const texts = [...byName.values()].map(({ name, suggestion }) =>
		suggestion === undefined ? name : `${name} (did you mean ${suggestion}?)`,
	);
	return namesUpTo(texts, 10);
}

/** Names the columns that are not sent; '' when there is none. */
function unknownText(unknownNames: readonly UnknownName[]): string {
	if (unknownNames.length === 0) return '';
	const isOne = new Set(unknownNames.map(({ name }) => name)).size === 1;
	const [columns, areNone] = isOne ? ['column', 'is no field'] : ['columns', 'are no fields'];
	return `Not sent: ${columns} ${unknownNamesListed(unknownNames)}, which ${areNone} of this operation.`;
}

/** In how many items each text occurs; several times in one item count once. */
function itemsByText(textsOfItems: ReadonlyArray<readonly string[]>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const texts of textsOfItems) {
		for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return counts;
}

const itemCountPrefix = (count: number, itemCount: number): string =>
	itemCount === 1 ? '' : `${count} of ${itemCount} items: `;

/** Fields that are missing in the same number of items, for the same reason, share one sentence. */
function omissionSentences(
	remarks: readonly InputRemarks[],
	reason: OmissionReason,
	itemCount: number,
): string[] {
	const labels = remarks.map(({ omittedFields }) =>
		omittedFields.flatMap((field) => (field.reason === reason ? [`'${field.label}'`] : [])),
	);
	const labelsByCount = new Map<number, string[]>();
	for (const [label, count] of itemsByText(labels)) {
		const sameCount = labelsByCount.get(count);
		if (sameCount) sameCount.push(label);
		else labelsByCount.set(count, [label]);
	}
	return [...labelsByCount].map(([count, sameCount]) => {
		const [singular, plural] = reasonInWords[reason];
		const were = sameCount.length === 1 ? `was left out, ${singular}` : `were left out, ${plural}`;
		return `${itemCountPrefix(count, itemCount)}${namesUpTo(sameCount, 10)} ${were}.`;
	});
}

function reversedSentences(remarks: readonly InputRemarks[], itemCount: number): string[] {
	const texts = remarks.map(({ reversedDates }) =>
		reversedDates.map(
			({ endLabel, startLabel }) =>
				`'${endLabel}' is before '${startLabel}'; it was sent like this.`,
		),
	);
	return [...itemsByText(texts)].map(
		([text, count]) => `${itemCountPrefix(count, itemCount)}${text}`,
	);
}

/**
 * @param remarks of the items that are sent
 * @param itemCount how many items were read
 * @returns a text of bounded length; undefined when there is nothing to say
 */
export function inputHint(remarks: readonly InputRemarks[], itemCount: number): string | undefined {
	const reasons = Object.keys(reasonInWords) as OmissionReason[];
	const texts = [
		...reasons.flatMap((reason) => omissionSentences(remarks, reason, itemCount)),
		...reversedSentences(remarks, itemCount),
		unknownText(remarks.flatMap(({ unknownNames }) => unknownNames)),
	];
	return texts.filter((text) => text !== '').join(' ') || undefined;
}
