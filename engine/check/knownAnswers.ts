// What the last check of a node found out. It is kept in n8n's static data, which n8n saves with an active workflow.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { comparedPart, type AnsweredQuestion } from './findings';

interface KnownAnswers {
	/** By question: what is compared, and the answer for people. */
	answers?: Record<string, { compared: string; answer: string }>;
}

/** A finding that differs from that of the last check, and the answer that was given then. */
export interface ChangedAnswer {
	finding: AnsweredQuestion;
	before: string;
}

/**
 * Compares findings with those of the last check, and keeps these ones for the next. A question that could not be
 * answered is no change, and what was known of it stays.
 * @returns the changed ones; undefined when there was no check before
 */
export function changedSinceLastCheck(
	ctx: IExecuteFunctions,
	findings: readonly AnsweredQuestion[],
): ChangedAnswer[] | undefined {
	const data = ctx.getWorkflowStaticData('node') as KnownAnswers & IDataObject;
	const before = data.answers;
	const told = findings.filter(({ certainty }) => certainty !== 'could not tell');
	const now = told.map((finding) => {
		const { question, answer } = finding;
		return [question, { compared: comparedPart(finding), answer }] as const;
	});
	data.answers = { ...before, ...Object.fromEntries(now) };
	if (!before) return undefined;
	return told.flatMap((finding) => {
		const known = before[finding.question];
		return known && known.compared !== comparedPart(finding)
			? [{ finding, before: known.answer }]
			: [];
	});
}
