// What an answer of the service means, and what it may do otherwise than described, as tables to read in
// docs/reliability.md: the engine's own tables of it.
import type * as AnswerPolicy from '../../engine/answer/answerPolicy.ts';
import { table } from './markdown.mts';
import { built } from './package.mts';

const { answerRules, reportRules, tolerances } = built(
	'engine/answer/answerPolicy.js',
) as typeof AnswerPolicy;

const kinds = ['record', 'nothing', 'reports', 'get', 'list'] as const;

/** What a 2xx means, by what the answer holds and by what is due. */
export const answersTable = (): string =>
	table(
		['A 2xx with', 'Record or its ID', 'Nothing due', 'Bulk', 'Get', 'List'],
		answerRules.map(({ came, becomes }) => [came, ...kinds.map((kind) => becomes[kind] ?? '↓')]),
	);

const wordsOfReport: Record<(typeof reportRules)[number]['becomes'], string> = {
	success: 'success',
	notModified: 'not modified',
	unknown: 'unknown',
	asRequest: 'as for a whole request, in the table above',
};

/** What a report on one path of a bulk patch means. */
export const reportsTable = (): string =>
	table(
		['The report on a path', 'The path'],
		reportRules.map(({ said, becomes }) => [said, wordsOfReport[becomes]]),
	);

/** In what the service's answers may differ from their description. */
export const tolerancesList = (): string =>
	Object.values(tolerances)
		.map((words) => `- ${words}`)
		.join('\n');
