// Tables that the engine itself works by, to be read.
import type * as Rules from '../../engine/answer/rules.ts';
import type * as Failures from '../../engine/failure.ts';
import type * as Outcomes from '../../engine/outcome.ts';
import { code, table } from './markdown.mts';
import { built } from './package.mts';
import type { Parts } from './pages.mts';

const { rules } = built('engine/answer/rules.js') as typeof Rules;
const { failureCodes } = built('engine/failure.js') as typeof Failures;
const { outcomes } = built('engine/outcome.js') as typeof Outcomes;

const methods = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'] as const;

/** What a write may expect of its response, as a person calls it. */
const expected = {
	record: 'a record or its ID',
	nothing: 'no data',
	reports: 'bulk',
	path: 'a path in bulk',
};

/** Those that decide what became of an item. */
const decisive = rules.filter(({ outcome }) => outcome);

/** What became of a write; where that depends on what is expected, of which writes the rule says something. */
function wordsOfWrite({ outcome }: Rules.Rule): string {
	if (typeof outcome === 'string') return outcomes[outcome].label;
	const named = Object.entries(outcome!).map(([kind, ended]) => [
		outcomes[ended].label,
		expected[kind as keyof typeof expected],
	]);
	return [...new Set(named.map(([label]) => label))]
		.map(
			(one) =>
				`${one} (${named.flatMap(([label, kind]) => (label === one ? kind! : [])).join(', ')})`,
		)
		.join('; ');
}

const wordsOfMethods = ({ again = [] }: Rules.Rule): string =>
	again.length === methods.length ? 'all' : again.join(', ') || '–';

export const engineTables = (): Parts => ({
	/** What a response means. */
	policy: table(
		['What came', 'A write is', 'Sent again'],
		decisive.map((rule) => [rule.when!, wordsOfWrite(rule), wordsOfMethods(rule)]),
	),
	codes: table(
		['`code`', 'What happened'],
		Object.entries(failureCodes).map(([name, meaning]) => [code(name), meaning]),
	),
});
