// The settings of the credential, as signing in and signing requests need them: checked, normalized and comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { signInFailure } from '../failure';
import { headerProblem, invisibleProblem } from '../http/headerText';
import { holdsLostDigits, isObject, parseJson } from '../http/json';

const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** The problem with an address that is neither https nor http on this machine, or whose user name others would see. */
function addressProblem(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isAllowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
	return !isAllowed || url.username || url.password || url.hash
		? 'must be an address that begins with https:// (http:// only for a service on the machine that runs n8n), without a user name or password'
		: undefined;
}

const baseUrlProblem = (text: string) =>
	addressProblem(text) ?? (text.includes('?') ? 'must be an address without "?"' : undefined);

/** The grants of the API spec, and that of an identity provider (RFC 6749 §4.3). */
const grantTypes = ['authorizationCode', 'password', 'identityProvider'] as const;

export type GrantType = (typeof grantTypes)[number];

const grantProblem = (text: string) =>
	grantTypes.includes(text as GrantType) ? undefined : `must be ${grantTypes.join(' or ')}`;

/** The parameters that other settings give (RFC 6749 §2.3.1, §4.3.2), also as programs read them that take "." for "_". */
const ofOtherSettings = /^(grant[-._]type|client[-._](id|secret)|username|password|scope)$/i;

/** RFC 6749 §8.2 says what a name may be. */
const isParameter = ([name, value]: [string, unknown]): boolean =>
	/^[-.\w]+$/.test(name) &&
	!ofOtherSettings.test(name) &&
	(typeof value === 'string' || (typeof value === 'number' && !holdsLostDigits(value)));

/**
 * Reads the setting 'Additional Parameters': what an identity provider wants beside the parameters of OAuth, as one JSON
 * object of texts and numbers.
 * @returns undefined when the text is not what it should be
 */
export function parametersOf(text = ''): Array<[string, string]> | undefined {
	const read = text === '' ? {} : parseJson(text);
	const entries = isObject(read) ? Object.entries(read) : undefined;
	if (!entries?.every(isParameter)) return undefined;
	return entries.map(([name, value]) => [name, String(value)]);
}

/** The problem with that setting, without its values. */
const objectProblem = (text: string): string | undefined =>
	parametersOf(text)
		? undefined
		: 'must be one JSON object of texts and numbers, such as {"response_type": "token"}, without grant_type, client_id, client_secret, username, password and scope, which have fields of their own; a long number needs quotes';

interface AccountSetting {
	/** Its name on the credential's form. */
	label: string;
	/** The problem with a value, without the value. */
	problemOf?: (text: string) => string | undefined;
	/** The only grant that uses it. */
	grant?: GrantType;
	/** The only grant for which it must not be empty; by default, it never may be. */
	neededFor?: GrantType | 'none';
}

/** What an expression gives that finds nothing, and one that n8n does not evaluate. */
const noValue = /^(?:undefined|null|\[object Object\]|\{\{.*\}\})$/s;

const optional = { grant: 'identityProvider', neededFor: 'none' } as const;

/**
 * The settings that a token depends on: a token that was obtained with other values is never sent. The key travels in
 * a header. An ID or secret of an application has only visible characters (RFC 6749 §A.1, §A.2), but a service may take
 * letters of other languages. A user name and a password may hold anything. The address of an identity provider may have
 * a query (RFC 6749 §3.2).
 */
export const accountSettings = {
	baseUrl: { label: 'Base URL', problemOf: baseUrlProblem },
	apiKey: { label: 'Subscription Key', problemOf: headerProblem },
	grantType: { label: 'Grant Type', problemOf: grantProblem },
	clientId: { label: 'Client ID', problemOf: invisibleProblem },
	clientSecret: { label: 'Client Secret', problemOf: invisibleProblem, neededFor: 'password' },
	username: { label: 'Username' },
	password: { label: 'Password' },
	redirectUri: { label: 'Redirect URI', grant: 'authorizationCode' },
	tokenUrl: { label: 'Token URL', problemOf: addressProblem, grant: 'identityProvider' },
	scope: { label: 'Scope', ...optional },
	additionalParameters: { label: 'Additional Parameters', problemOf: objectProblem, ...optional },
} satisfies Record<string, AccountSetting>;

export type AccountSettings = Record<keyof typeof accountSettings, string> & {
	grantType: GrantType;
};

/** When others are copied from a web page, a space or a line break often comes along. */
const untrimmed = ['clientSecret', 'username', 'password'];

/** @throws Failure that names each setting with a value that cannot be meant, and never the value */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const problems: string[] = [];
	const read = ([name, { label, problemOf, grant, neededFor }]: [string, AccountSetting]) => {
		// n8n keeps the value of a field that the form hides.
		if (grant && grant !== credentials.grantType) return [name, ''];
		const value = credentials[name] ?? '';
		// An expression may give a number or an object.
		const given = typeof value === 'string' ? value : JSON.stringify(value);
		const text = untrimmed.includes(name) ? given : given.trim();
		const bare = text.trim();
		const isNeeded = !neededFor || neededFor === credentials.grantType;
		const hasNone = bare === '' ? isNeeded : noValue.test(bare);
		const problem = problemOf?.(text) ?? (hasNone && `is ${bare || 'empty'}: give it a value`);
		if (problem) problems.push(`'${label}' in the credential ${problem}.`);
		return [name, text];
	};
	const entries = Object.entries<AccountSetting>(accountSettings).map(read);
	if (problems.length > 0) throw signInFailure(problems.join(' '));
	const settings = Object.fromEntries(entries) as AccountSettings;
	// One spelling for all that the address may be written in (RFC 3986 §6.2.2, §6.2.3).
	const { protocol, host, pathname } = new URL(settings.baseUrl);
	settings.baseUrl = `${protocol}//${host}${pathname}`.replace(/(?<!\/)\/+$/, '');
	return settings;
}

/** One-way hash, in hex, of the settings that a token depends on. */
export const fingerprint = (settings: AccountSettings): string =>
	createHash('sha256').update(JSON.stringify(settings)).digest('hex');
