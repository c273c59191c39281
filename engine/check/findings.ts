// What the check has found out: one finding for each question, and the items that it becomes.
import type { IDataObject } from 'n8n-workflow';

/** How certain an answer is: shown by answers of the service alone, probable, or not to be told. */
export type Certainty = 'yes' | 'likely' | 'could not tell';

export interface Finding {
	/** The answer, in a person's words. */
	answer: string;
	/** What to do. */
	means: string;
	/** The label of the setting that follows from the answer. */
	setting?: string;
	/** What that setting should have, as the form shows it. */
	value?: string;
	/** Whether the setting has another value now. */
	isToBeChanged?: boolean;
	/** Whether it keeps all questions that follow from being answered. */
	isObstacle?: boolean;
	/** The requests that showed it, with their answers in short. */
	evidence: readonly string[];
	certainty: Certainty;
	/**
	 * What a later check compares; without it the answer itself. A measurement that is never the same twice gives ''.
	 */
	compared?: string;
}

/** A question, and how it is answered. */
export interface Question<Session> {
	/** The question in a person's words; it identifies the finding. */
	question: string;
	/**
	 * @returns undefined when the question does not arise
	 * @throws CannotTell when the service's answers do not tell
	 */
	findOut: (session: Session) => Promise<Finding | undefined> | Finding | undefined;
}

export interface AnsweredQuestion extends Finding {
	question: string;
}

/** What to do about an answer that fits the settings as they are. */
export const nothingToSet = 'Nothing to change.';

/** Why a question cannot be answered. */
export class CannotTell extends Error {
	/** @param advice what a person can do to have it answered */
	constructor(
		why: string,
		readonly evidence: readonly string[] = [],
		readonly advice = 'Nothing can be concluded: leave the settings as they are.',
	) {
		super(why);
	}
}

/** The output item of a finding. */
export const findingItem = ({
	question,
	answer,
	means,
	setting = '',
	value = '',
	isToBeChanged = false,
	evidence,
	certainty,
}: AnsweredQuestion): IDataObject => ({
	question,
	answer,
	means,
	setting,
	value,
	change: isToBeChanged,
	evidence: evidence.join('\n'),
	sure: certainty,
});

/** What is to be noted of a finding, so that a later check can tell whether it has changed. */
export const comparedPart = ({ compared, value, answer }: Finding): string =>
	compared ?? value ?? answer;
