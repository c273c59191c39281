// Words the problems of a record as a whole: it has no value at all, or names that match no field.
import type { FieldProblem } from './fields';
import { namesListed, unknownNamesListed, type UnknownName } from './inputRemarks';

/** Where the fields of a record come from: the value of 'Specify Fields'. */
export type RecordSource = 'form' | 'inputItem' | 'json';

/** A record that comes from the form is not called anything. */
const sourceInWords: Partial<Record<RecordSource, string>> = { inputItem: 'item', json: 'JSON' };

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
	const sourceName = sourceInWords[source];
	if (!sourceName) return { label: '', text: 'No field has a value: fill in at least one' };
	const names = unknownNamesListed(unknownNames);
	const areAllUnknown = names !== '' && unknownNames.length === Object.keys(record).length;
	const text = areAllUnknown
		? `None of the ${sourceName}'s fields (${names}) is a field of this operation`
		: `The ${sourceName} has no value for any field of this operation${names && `; not known: ${names}`}`;
	return { label: '', text: `${text}. Known: ${namesListed(knownNames)}` };
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
				{ label: '', text: `known: ${namesListed(knownNames)}` },
			];
