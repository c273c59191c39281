// What the check must find out of a sandbox that speaks a mixture of dialects.
import type { IDataObject } from 'n8n-workflow';

import type { Dialects } from '../../../sandbox/dialects.mts';

type Expected = (dialects: Dialects) => string | RegExp | undefined;

/** By question: the value of its setting, or what its answer says; undefined where it must not be asked. */
const expectedByQuestion: Record<string, Expected> = {
	'How is the token written in the Authorization header?': ({ authorizationHeader }) =>
		({ either: 'Token Alone', token: 'Token Alone', bearer: 'Bearer and Token' })[
			authorizationHeader
		],
	'Which page size does the service accept?': ({ largestPage, largerPages }) =>
		largerPages === 'refused' && largestPage !== 'rows200' ? largestPage.slice(4) : '100',
	"Where does 'offset' start counting?": ({ offset }) =>
		({ fromZero: '0', fromOne: '1', ignored: /ignored/ })[offset],
	'Also seen': ({ types, names, notice, totalRows }) =>
		types === 'text'
			? /numbers as text/
			: names !== 'described'
				? /in a different case/
				: notice === 'php'
					? /other text/
					: totalRows === 'page'
						? /counts only the rows of the page/
						: undefined,
};

export interface Verdict {
	question: string;
	verdict: 'right' | 'could not tell' | 'wrong';
	item: IDataObject;
}

/** Holds the items of a check against what the service does. */
export function verdictsOf(items: readonly IDataObject[], dialects: Dialects): Verdict[] {
	return items.flatMap((item): Verdict[] => {
		const question = item.question as string;
		const expected = expectedByQuestion[question]?.(dialects);
		if (item.confidence === 'could not tell')
			return [{ question, item, verdict: 'could not tell' }];
		if (!(question in expectedByQuestion) || expected === undefined) return [];
		const isRight =
			typeof expected === 'string' ? item.value === expected : expected.test(item.answer as string);
		return [{ question, item, verdict: isRight ? 'right' : 'wrong' }];
	});
}
