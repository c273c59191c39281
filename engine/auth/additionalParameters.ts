// The setting 'Additional Parameters': what an identity provider wants beside the parameters of OAuth, as one JSON
// object of texts and numbers.
import { holdsLostDigits, isObject, parseJson } from '../http/json';

/** The parameters that other settings give (RFC 6749 §2.3.1, §4.3.2), also as programs read them that take "." for "_". */
const ofOtherSettings = /^(grant[-._]type|client[-._](id|secret)|username|password|scope)$/i;

/** RFC 6749 §8.2 says what a name may be. */
const isParameter = ([name, value]: [string, unknown]): boolean =>
	/^[-.\w]+$/.test(name) &&
	!ofOtherSettings.test(name) &&
	(typeof value === 'string' || (typeof value === 'number' && !holdsLostDigits(value)));

/** @returns undefined when the text is not what it should be */
export function parametersOf(text = ''): Array<[string, string]> | undefined {
	const read = text === '' ? {} : parseJson(text);
	const entries = isObject(read) ? Object.entries(read) : undefined;
	if (!entries?.every(isParameter)) return undefined;
	return entries.map(([name, value]) => [name, String(value)]);
}

/** The problem with the setting, without its values. */
export const objectProblem = (text: string): string | undefined =>
	parametersOf(text)
		? undefined
		: 'must be one JSON object of texts and numbers, such as {"response_type": "token"}, without grant_type, client_id, client_secret, username, password and scope, which have fields of their own; a long number needs quotes';
