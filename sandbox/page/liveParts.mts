// The parts of the page that change while somebody looks at it.
import { dialectsPart } from './dialectsSection.mts';
import { planPart, struckParts } from './faultsSection.mts';
import type { Html } from './html.mts';
import { openRequestPart } from './openRequest.mts';
import { pagesPart, recordsPart, kindsPart } from './recordsSection.mts';
import { requestsPart } from './requestsSection.mts';
import type { SandboxState } from './sandboxState.mts';
import type { PageQuery } from './pageAddress.mts';

export interface LivePart {
	content: Html;
	/** The part is sent again when this differs from what it was. */
	state: string;
}

const part = (content: Html, state = content.text): LivePart => ({ content, state });

/** The parts by their names, which are the values of `data-live` on the page. */
export function liveParts(
	{ records, dialects, faults, requestLog }: SandboxState,
	view: PageQuery,
) {
	const counts = records.counts();
	return {
		requests: part(requestsPart(requestLog, view)),
		request: part(openRequestPart(requestLog, view)),
		// The counts of strikes inside are parts of their own: the form must not be replaced whenever one changes.
		plan: part(planPart(faults), JSON.stringify(faults.rules)),
		...Object.fromEntries(struckParts(faults).map(([name, content]) => [name, part(content)])),
		dialects: part(dialectsPart(dialects)),
		kinds: part(kindsPart(counts, view)),
		pages: part(pagesPart(counts.get(view.kind) ?? 0, view)),
		records: part(recordsPart(records, view)),
	};
}
