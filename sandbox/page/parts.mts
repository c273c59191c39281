// The parts of the page that change while somebody looks at it.
import { planPart, struckParts } from './faults.mts';
import type { Html } from './html.mts';
import { pagesPart, recordsPart, shelvesPart } from './records.mts';
import { requestsPart } from './requests.mts';
import type { Room } from './room.mts';
import { tokensPart } from './tokens.mts';
import type { View } from './view.mts';

export interface Part {
	content: Html;
	/** The part is sent again when this is another. */
	state: string;
}

const part = (content: Html, state = content.text): Part => ({ content, state });

/** By name, as the page marks them with `data-live`. */
export function partsOf({ store, accounts, faults, journal }: Room, view: View) {
	const counts = store.counts();
	return {
		requests: part(requestsPart(journal)),
		// What was struck stands in it too, and changes on its own: a form is not to be replaced for that.
		plan: part(planPart(faults), JSON.stringify(faults.rules)),
		...Object.fromEntries(struckParts(faults).map(([name, content]) => [name, part(content)])),
		tokens: part(tokensPart(accounts)),
		shelves: part(shelvesPart(counts, view)),
		pages: part(pagesPart(counts, view)),
		records: part(recordsPart(store, view)),
	};
}
