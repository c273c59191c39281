// What the check finds out, and the rule for settings: another value than the present one is found only if the service
// refuses the present one again.
import { Failure } from '../failure';
import type { CheckSession } from './session';

export interface Finding {
	/** The answer, in a person's words. */
	answer: string;
	/** The action, if there is one. */
	action?: string;
	/** Whether the question could not be answered; the answer says why. */
	isOpen?: boolean;
}

/** @throws Failure when the service's responses do not tell */
export type AskQuestion = (session: CheckSession) => Promise<Finding>;

/**
 * Why a question cannot be answered.
 * @param advice what a person can do to have it answered
 */
export const cannotTell = (why: string, advice?: string): Failure =>
	new Failure(why, 'refused', { advice });

/** The action for a setting of the credential, with its label and value as on the form. */
export const setTo = (setting: string, value: string | number): string =>
	`Set '${setting}' to '${value}' in the credential.`;

/**
 * Tries values of a setting, the present one first, until the service accepts one.
 * @returns undefined when it accepts none
 * @throws Failure of a read, or when the service does not respond alike
 */
export async function findAccepted<Value>(
	[present, ...others]: readonly [Value, ...Value[]],
	isAccepted: (value: Value) => Promise<boolean>,
): Promise<Value | undefined> {
	if (await isAccepted(present)) return present;
	for (const value of others) {
		if (!(await isAccepted(value))) continue;
		if (!(await isAccepted(present))) return value;
		throw cannotTell('The service answered differently when asked again.');
	}
	return undefined;
}
