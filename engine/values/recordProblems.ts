// A record without any value, and names that match no field → what is wrong, in the words of the way it was given.
import type { FieldProblem } from './fields';
import { namesListed, unknownNamesListed, type UnknownName } from './leftOut';

/** How a record was given. */
export type RecordSource = 'form' | 'inputItem' | 'json';

/** Without an entry the form gives it. */
const sourceInWords: Partial<Record<RecordSource, string>> = { inputItem: 'item', json: 'JSON' };

/**
 * Why there is nothing to send.
 * @param record the item, or the JSON
 * @param known names that the record may have
 */
export function nothingGivenProblem(
	way: RecordSource,
	record: object,
	strangers: readonly UnknownName[],
	known: readonly string[],
): FieldProblem {
	const given = sourceInWords[way];
	if (!given) return { label: '', text: 'No field has a value: fill in at least one' };
	const names = unknownNamesListed(strangers);
	const areAllStrange = names !== '' && strangers.length === Object.keys(record).length;
	const text = areAllStrange
		? `None of the ${given}'s fields (${names}) is a field of this operation`
		: `The ${given} has no value for any field of this operation${names && `; not known: ${names}`}`;
	return { label: '', text: `${text}. Known: ${namesListed(known)}` };
}

/** Of a record that may have no names but the known ones. */
export const unknownNameProblems = (
	strangers: readonly UnknownName[],
	known: readonly string[],
): FieldProblem[] =>
	strangers.length === 0
		? []
		: [
				...strangers.map(({ name, suggestion }) => ({
					label: name,
					text: `is not a field of this operation${suggestion === undefined ? '' : `: did you mean ${suggestion}?`}`,
				})),
				{ label: '', text: `known: ${namesListed(known)}` },
			];
