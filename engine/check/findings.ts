// What the check has found out about each question, and which setting of the credential follows from it.
import {
	conventionInWords,
	conventionLabel,
	conventionValues,
	whereConventionsAre,
	type ServiceConventions,
} from '../form/serviceConventions';
import { cannotTell, type CheckSession } from './session';

/** The words are those of the output items. */
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
	change?: boolean;
	/**
	 * How certain the answer is: `yes` if the service has shown it twice, by values that another answer would have shown
	 * otherwise.
	 */
	sure: 'yes' | 'likely' | 'could not tell';
	/** What a later check compares; without it the value, or else the answer. */
	compared?: string;
}

/** What to do about an answer that fits the settings as they are. */
export const nothingToSet = 'Nothing to change.';

/** @param means what to do */
export const told = (
	answer: string,
	means = nothingToSet,
	others: Partial<Finding> = {},
): Finding => ({ answer, means, sure: 'yes', ...others });

/** The finding for what is probable, and no setting follows from. */
export const probably = (answer: string, means = nothingToSet): Finding =>
	told(answer, means, { sure: 'likely' });

/**
 * The finding for a setting of the credential whose right value is known; both values are as the form shows them.
 * @param answer what the service does, in a person's words
 * @param where the setting is, for a message
 */
export const settingFinding = (
	answer: string,
	{ setting, value, current }: { setting: string; value: string; current: string },
	where = 'in the credential',
): Finding => {
	const change = value !== current;
	const means = change ? `Set '${setting}' to '${value}' ${where}.` : nothingToSet;
	return told(answer, means, { setting, value, change });
};

/** The finding for one of the settings that say how the service works. */
export const conventionFinding = <Name extends keyof ServiceConventions>(
	{ access: { conventions } }: CheckSession,
	name: Name,
	found: ServiceConventions[Name],
	answer = `${conventionInWords(name, found)}.`,
): Finding => {
	const value = conventionInWords(name, found);
	const current = conventionInWords(name, conventions[name]);
	const setting = conventionLabel(name);
	return settingFinding(answer, { setting, value, current }, whereConventionsAre);
};

/**
 * Tries the values of a setting, the present one first, until the service understands one.
 * @param advice what to do when it understands none
 * @param objectionTo asks the service with a value, for the first or the second time, and says why the service does not
 * understand it; undefined when it does
 * @throws Failure when it understands none, or the present value after all
 */
export async function understoodValue<Name extends keyof ServiceConventions>(
	{ access: { conventions } }: CheckSession,
	name: Name,
	advice: string,
	objectionTo: (value: ServiceConventions[Name], round: 0 | 1) => Promise<string | undefined>,
): Promise<ServiceConventions[Name]> {
	const objections: string[] = [];
	const present = conventions[name];
	const objectionTwice = async (value: ServiceConventions[Name]) =>
		(await objectionTo(value, 0)) ?? (await objectionTo(value, 1));
	for (const value of new Set([present, ...conventionValues(name)])) {
		const objection = await objectionTwice(value);
		if (objection === undefined) {
			if (value === present || (await objectionTwice(present)) !== undefined) return value;
			throw cannotTell('The service did not answer alike when it was asked again.');
		}
		objections.push(`${conventionInWords(name, value)}: ${objection}`);
	}
	const why = objections.join('; ');
	throw cannotTell(`The service understands none of those that were tried (${why}).`, advice);
}
