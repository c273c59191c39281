// The parts of the page that change while somebody looks at it.
import { dialectsPart } from './dialectsSection.mts';
import { planPart, struckParts } from './faultsSection.mts';
import type { Html } from './html.mts';
import { pagesPart, recordsPart, kindsPart } from './recordsSection.mts';
import { requestsPart } from './requestsSection.mts';
import type { SandboxState } from './sandboxState.mts';
import { tokensPart } from './tokensSection.mts';
import type { PageQuery } from './pageAddress.mts';

export interface LivePart {
	content: Html;
	/** The part is sent again when this differs from what it was. */
	state: string;
}

const part = (content: Html, state = content.text): LivePart => ({ content, state });

/**
 * The parts by their names, which are the values of `data-live` on the page.
 * @param form that was refused
 */
export function liveParts(
	{ records, accounts, dialects, faults, requestLog }: SandboxState,
	view: PageQuery,
	form?: URLSearchParams,
) {
	const counts = records.counts();
	return {
		requests: part(requestsPart(requestLog)),
		// The counts of strikes inside are parts of their own: the form must not be replaced whenever one changes.
		plan: part(planPart(faults, form), JSON.stringify(faults.rules)),
		...Object.fromEntries(struckParts(faults).map(([name, content]) => [name, part(content)])),
		dialects: part(dialectsPart(dialects)),
		tokens: part(tokensPart(accounts)),
		kinds: part(kindsPart(counts, view)),
		pages: part(pagesPart(counts, view)),
		records: part(recordsPart(records, view)),
	};
}
