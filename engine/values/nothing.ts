// A record without any value, and names that match no field → what is wrong, in the words of the way it was given.
import type { Problem } from './fields';
import { namesListed, strangersListed, type Stranger } from './leftOut';

/** How a record was given. */
export type Way = 'form' | 'inputItem' | 'json';

/** Without an entry the form gives it. */
const recordOf: Partial<Record<Way, string>> = { inputItem: 'item', json: 'JSON' };

/**
 * Why there is nothing to send.
 * @param record the item, or the JSON
 * @param known names that the record may have
 */
export function nothingGiven(
	way: Way,
	record: object,
	strangers: readonly Stranger[],
	known: readonly string[],
): Problem {
	const given = recordOf[way];
	if (!given) return { label: '', text: 'Nothing is filled in: give at least one field' };
	const names = strangersListed(strangers);
	const areAllStrange = names !== '' && strangers.length === Object.keys(record).length;
	const text = areAllStrange
		? `None of the ${given}'s fields (${names}) is a field of this operation`
		: `The ${given} has no value for any field of this operation${names && `; not known: ${names}`}`;
	return { label: '', text: `${text}. Known: ${namesListed(known)}` };
}

/** Of a record that may have no names but the known ones. */
export const strangersRefused = (
	strangers: readonly Stranger[],
	known: readonly string[],
): Problem[] =>
	strangers.length === 0
		? []
		: [
				...strangers.map(({ name, meant }) => ({
					label: name,
					text: `is not a field of this operation${meant === undefined ? '' : `: did you mean ${meant}?`}`,
				})),
				{ label: '', text: `known: ${namesListed(known)}` },
			];
