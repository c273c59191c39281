// Words the problems of a record as a whole: it has no value at all, or names that match no field.
import type { FieldProblem } from './fields';
import { namesListed, unknownNamesListed, type UnknownName } from './inputRemarks';

/** Where the fields of a record come from: the value of 'Specify Fields'. */
export type RecordSource = 'form' | 'inputItem' | 'json';

/** What a record is called, and what its names are; one that comes from the form is not called anything. */
const sourceInWords: Partial<Record<RecordSource, { record: string; names: string }>> = {
	inputItem: { record: 'item', names: 'columns' },
	json: { record: 'JSON', names: 'names' },
};

/** What to do with columns that have other names. */
const adviceOtherNames =
	"Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field";

/**
 * Says why there is nothing to send.
 * @param record the item, or the JSON
 * @param knownNames names that the record may have
 */
export function emptyRecordProblem(
	source: RecordSource,
	record: object,
	unknownNames: readonly UnknownName[],
	knownNames: readonly string[],
): FieldProblem {
	const words = sourceInWords[source];
	if (!words) return { label: '', text: 'No field has a value: fill in at least one' };
	const names = unknownNamesListed(unknownNames);
	const areAllUnknown = names !== '' && unknownNames.length === Object.keys(record).length;
	const text = areAllUnknown
		? `None of the ${words.record}'s ${words.names} (${names}) is a field of this operation`
		: `The ${words.record} has no value for any field of this operation${names && `; not known: ${names}`}`;
	const advice = names !== '' && source === 'inputItem' ? `. ${adviceOtherNames}` : '';
	return { label: '', text: `${text}. Its fields are ${namesListed(knownNames)}${advice}` };
}

/** The problems of columns that would not be sent, although it is certain which field each of them means. */
export const nearMissProblems = (unknownNames: readonly UnknownName[]): FieldProblem[] =>
	unknownNames.flatMap(({ name, nearMiss }) =>
		nearMiss === undefined
			? []
			: [{ label: name, text: `must be called ${nearMiss}: rename the column, or remove it` }],
	);

/** The problems of a record in which unknown names are refused. */
export const unknownNameProblems = (
	unknownNames: readonly UnknownName[],
	knownNames: readonly string[],
): FieldProblem[] =>
	unknownNames.length === 0
		? []
		: [
				...unknownNames.map(({ name, suggestion }) => ({
					label: name,
					text: `is not a field of this operation${suggestion === undefined ? '' : `: did you mean ${suggestion}?`}`,
				})),
				{ label: '', text: `its fields are ${namesListed(knownNames)}` },
			];
