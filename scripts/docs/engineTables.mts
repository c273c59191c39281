// Tables that the engine itself works by, to be read.
import type * as AnswerPolicy from '../../engine/answer/answerPolicy.ts';
import type * as Failures from '../../engine/failure.ts';
import type * as ReportRules from '../../engine/kinds/reportRules.ts';
import type * as RetryPolicy from '../../engine/send/retryPolicy.ts';
import { code, table } from './markdown.mts';
import { built } from './package.mts';
import type { Parts } from './pages.mts';

const { answerRules } = built('engine/answer/answerPolicy.js') as typeof AnswerPolicy;
const { failureCodes } = built('engine/failure.js') as typeof Failures;
const { reportRules } = built('engine/kinds/reportRules.js') as typeof ReportRules;
const { retryRules } = built('engine/send/retryPolicy.js') as typeof RetryPolicy;

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;
const due = ['record', 'nothing', 'reports', 'read'] as const;

const wordsOfOutcome: Record<Failures.Outcome, string> = {
	notSent: 'not sent',
	refused: 'refused',
	unknown: 'in doubt',
	done: 'done',
};

const wordsOfReport: Readonly<Record<string, string>> = {
	notModified: 'not modified',
	sameAsRequest:
		'as a PATCH: [Which requests are retried](reliability.md#which-requests-are-retried)',
};

export const engineTables = (): Parts => ({
	/** When a request is retried. */
	policy: table(
		['What happened', 'What happened to a write', ...methods],
		retryRules.map(({ when, verdict, retried }) => [
			when,
			wordsOfOutcome[verdict],
			...methods.map((method) => (retried.includes(method) ? 'again' : 'never')),
		]),
	),
	/** What a 2xx means, by what the response holds and by what is due. */
	answers: table(
		['A 2xx with', 'Record or its ID', 'No data expected', 'Bulk', 'Read'],
		answerRules.map(({ when, verdict }) => [when, ...due.map((kind) => verdict[kind] ?? '↓')]),
	),
	/** What a report on one path of a bulk patch means. */
	reports: table(
		['The report on a path', 'The path'],
		reportRules.map(({ when, verdict = 'sameAsRequest' }) => [
			when,
			wordsOfReport[verdict] ?? verdict,
		]),
	),
	codes: table(
		['`code`', 'What happened'],
		Object.entries(failureCodes).map(([name, meaning]) => [code(name), meaning]),
	),
});
