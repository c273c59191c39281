// The check's answers to its questions, and the settings of the credential that follow from them.
import type { CheckSession } from './session';

/** The words are those of the output items. */
export interface Finding {
	/** The answer, in a person's words. */
	answer: string;
	/** What to do; without it, nothing. */
	action?: string;
	/** The label of the setting that follows from the answer. It has another value now if there is something to do. */
	setting?: string;
	/** What that setting should have, as the form shows it. */
	value?: string;
	/**
	 * How certain the answer is: `yes`, without another word, if the service has shown it twice, by values that another
	 * answer would have shown otherwise.
	 */
	confidence?: 'yes' | 'likely' | 'could not tell';
}

/**
 * Answers a question.
 * @returns undefined when the question does not arise
 * @throws Failure when the service's answers do not tell
 */
export type AskQuestion = (session: CheckSession) => Promise<Finding | undefined>;
