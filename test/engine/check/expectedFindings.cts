// What the check must find out of a sandbox that speaks a mixture of dialects.
import type { IDataObject } from 'n8n-workflow';

import type { Dialects } from '../../../sandbox/dialects.mts';

/** By question, in their order: what its answer says. */
const expectedByQuestion: Record<string, (dialects: Dialects) => RegExp> = {
	'Can the account sign in, and how is its token written?': ({ authorizationHeader }) =>
		authorizationHeader === 'bearer' ? /Bearer and Token/ : /Token Alone/,
	'Which lists may the account read?': () => /^All lists tried/,
	'Which page size does the service accept?': ({ largestPage }) =>
		largestPage.startsWith('refused')
			? new RegExp(`^${largestPage.slice(-2)} rows\\.$`)
			: /^100 rows\./,
	"What does 'totalRows' count?": ({ totalRows }) =>
		({
			all: /^The rows of the list/,
			text: /^The rows of the list/,
			page: /^The rows of the page/,
			missing: /missing/,
		})[totalRows],
};

export interface Verdict {
	question: string;
	verdict: 'right' | 'could not tell' | 'wrong';
	item: IDataObject;
}

/** Whether an item says that its question could not be answered: neither that all is well, nor what to set. */
export const isOpen = ({ action }: IDataObject): boolean =>
	!/^(?:Nothing to change\.|Set ')/.test(action as string);

/** Holds the items of a check against what the service does. */
export const verdictsOf = (items: readonly IDataObject[], dialects: Dialects): Verdict[] =>
	Object.entries(expectedByQuestion).map(([question, expected]) => {
		const item = items.find((one) => one.question === question)!;
		if (isOpen(item)) return { question, item, verdict: 'could not tell' };
		const isRight = expected(dialects).test(item.answer as string);
		return { question, item, verdict: isRight ? 'right' : 'wrong' };
	});
