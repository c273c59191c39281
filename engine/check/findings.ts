// The check's answers to its questions, and the settings of the credential that follow from them.
import type { CheckSession } from './session';

/** The words are those of the output items. */
export interface Finding {
	/** The answer, in a person's words. */
	answer: string;
	/** What to do. */
	action: string;
	/** The label of the setting that follows from the answer. */
	setting?: string;
	/** What that setting should have, as the form shows it. */
	value?: string;
	/** Whether the setting has another value now. */
	change?: boolean;
	/**
	 * How certain the answer is: `yes` if the service has shown it twice, by values that another answer would have shown
	 * otherwise.
	 */
	confidence: 'yes' | 'likely' | 'could not tell';
}

/**
 * Answers a question.
 * @returns undefined when the question does not arise
 * @throws Failure when the service's answers do not tell
 */
export type AskQuestion = (session: CheckSession) => Promise<Finding | undefined>;

/** The action for an answer that fits the settings as they are. */
export const nothingToChange = 'Nothing to change.';

/** @param action what to do */
export const finding = (
	answer: string,
	action = nothingToChange,
	confidence: Finding['confidence'] = 'yes',
): Finding => ({ answer, action, confidence });

/** The finding for what is probable. */
export const likelyFinding = (answer: string, action?: string): Finding =>
	finding(answer, action, 'likely');

/**
 * The finding for a setting of the credential whose right value is known; both values are as the form shows them.
 * @param answer what the service does, in a person's words
 * @param where the setting is, for a message
 */
export function settingFinding(
	answer: string,
	{ setting, value, current }: { setting: string; value: string; current: string },
	where = 'in the credential',
): Finding {
	const change = value !== current;
	const action = change ? `Set '${setting}' to '${value}' ${where}.` : nothingToChange;
	return { ...finding(answer, action), setting, value, change };
}
