// Tables that the engine itself works by, to be read.
import type * as Judge from '../../engine/answer/judge.ts';
import type * as Rules from '../../engine/answer/rules.ts';
import type * as Failures from '../../engine/failure.ts';
import type * as Outcomes from '../../engine/outcome.ts';
import { code, table } from './markdown.mts';
import { built } from './package.mts';
import type { Parts } from './pages.mts';

const { outcomeBy } = built('engine/answer/judge.js') as typeof Judge;
const { rules } = built('engine/answer/rules.js') as typeof Rules;
const { failureCodes } = built('engine/failure.js') as typeof Failures;
const { outcomes } = built('engine/outcome.js') as typeof Outcomes;

const methods = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'] as const;
const writes = ['record', 'nothing', 'reports'] as const;
const expected = [...writes, 'path', 'read'] as const;

/** Those that decide what became of an item. */
const decisive = rules.filter(({ outcome }) => outcome);

/** Whether the status alone decides the outcome of a write, whatever the response holds. */
const isOfStatus = (rule: Rules.Rule): boolean => !/^2(xx with|02)/.test(rule.when!);

const wordsOfWrite = (rule: Rules.Rule): string => {
	const words = writes.map((write) => outcomes[outcomeBy(rule, write)!].label);
	return [...new Set(words)].join('; or ');
};

export const engineTables = (): Parts => ({
	/** When a request is retried. */
	policy: table(
		['What happened', 'What happened to a write', ...methods],
		decisive
			.filter(isOfStatus)
			.map((rule) => [
				rule.when!,
				wordsOfWrite(rule),
				...methods.map((method) => (rule.again?.includes(method) ? 'again' : 'never')),
			]),
	),
	/** The meaning of a response, by its content and by the expected content. */
	answers: table(
		['What came', 'Record or its ID', 'No data expected', 'Bulk', 'Path in bulk', 'Read'],
		decisive.map((rule) => [rule.when!, ...expected.map((kind) => outcomeBy(rule, kind) ?? '↓')]),
	),
	codes: table(
		['`code`', 'What happened'],
		Object.entries(failureCodes).map(([name, meaning]) => [code(name), meaning]),
	),
});
