// The credential's settings for signing in and for signing requests: checked, normalized and comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { signInFailure } from '../failure';
import { headerProblem, invisibleProblem } from '../http/invisible';
import { holdsLostDigits, isObject, orUndefined, parseJson } from '../http/json';

/** An address, as URL spells it, with https, or http on this machine; without a user or fragment. */
const allowedAddress =
	/^(?:https:\/\/[^/@]+|http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?)\/[^#]*#?$/;

/** The problem with an address that others could read along with, or that holds a user name others would see. */
const addressProblem = (text: string): string | undefined =>
	allowedAddress.test(orUndefined(() => new URL(text).href) ?? '')
		? undefined
		: 'must be an address that begins with https:// (http:// only for a service on the machine that runs n8n), without a user name or password';

const baseUrlProblem = (text: string) =>
	addressProblem(text) ?? (text.includes('?') ? 'must be an address without "?"' : undefined);

/** The API spec's two grants, and the password grant of an identity provider (RFC 6749 §4.3). */
const grantTypes = ['authorizationCode', 'password', 'identityProvider'] as const;

export type GrantType = (typeof grantTypes)[number];

const grantProblem = (text: string) =>
	grantTypes.includes(text as GrantType) ? undefined : `must be ${grantTypes.join(' or ')}`;

/**
 * The parameters from other settings (RFC 6749 §2.3.1, §4.3.2), also spelled with ".", which some programs read as "_".
 */
const reservedNames = /^(grant[-._]type|client[-._](id|secret)|username|password|scope)$/i;

/** RFC 6749 §8.2 defines the allowed names. */
const isParameter = ([name, value]: [string, unknown]): boolean =>
	/^[-.\w]+$/.test(name) &&
	!reservedNames.test(name) &&
	(typeof value === 'string' || (typeof value === 'number' && !holdsLostDigits(value)));

/**
 * Reads the setting 'Additional Parameters': those that an identity provider requires in addition to OAuth's, as one
 * JSON object of texts and numbers.
 * @returns undefined if the text is anything else
 */
export function parametersOf(text = ''): Array<[string, string]> | undefined {
	const read = text === '' ? {} : parseJson(text);
	const entries = isObject(read) ? Object.entries(read) : undefined;
	if (!entries?.every(isParameter)) return undefined;
	return entries.map(([name, value]) => [name, String(value)]);
}

/** The problem with this setting, without its values. */
const objectProblem = (text: string): string | undefined =>
	parametersOf(text)
		? undefined
		: 'must be one JSON object of texts and numbers, such as {"response_type": "token"}, without grant_type, client_id, client_secret, username, password and scope, which have fields of their own; a long number needs quotes';

interface AccountSetting {
	/** Its label on the credential's form. */
	label: string;
	/** The problem with a value, without the value. */
	problemOf?: (text: string) => string | undefined;
	/** The only grant that uses it. */
	grant?: GrantType;
	/** The only grant that requires it; by default, every grant does. */
	neededFor?: GrantType | 'none';
}

/** The result of an expression that finds nothing, and an expression that n8n did not evaluate. */
const noValue = /^(?:undefined|null|\[object Object\]|\{\{.*\}\})$/s;

const optional = { grant: 'identityProvider', neededFor: 'none' } as const;

/**
 * The settings that a token depends on: a token obtained with other values is never sent. The key travels in a header.
 * An application's ID and secret have only visible characters (RFC 6749 §A.1, §A.2), but a service may accept letters
 * of other languages. A user name and a password may hold anything. An identity provider's address may have a query
 * (RFC 6749 §3.2).
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

/** The other settings are trimmed: copying from a web page often adds a space or a line break. */
const untrimmed = ['clientSecret', 'username', 'password'];

/** @throws Failure that names each setting with an invalid value, but never the value */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const problems: string[] = [];
	const grantType = `${credentials.grantType as string}`.trim();
	const read = ([name, { label, problemOf, grant, neededFor }]: [string, AccountSetting]) => {
		// n8n keeps the values of hidden fields (n8n 2.41).
		if (grant && grant !== grantType) return [name, ''];
		const value = credentials[name] ?? '';
		// An expression may return a number or an object.
		const given = typeof value === 'string' ? value : JSON.stringify(value);
		const text = untrimmed.includes(name) ? given : given.trim();
		const trimmed = text.trim();
		const isNeeded = !neededFor || neededFor === grantType;
		const isMissing = trimmed === '' ? isNeeded : noValue.test(trimmed);
		const problem = problemOf?.(text) ?? (isMissing && `is ${trimmed || 'empty'}: give it a value`);
		if (problem) problems.push(`'${label}' in the credential ${problem}.`);
		return [name, text];
	};
	const entries = Object.entries<AccountSetting>(accountSettings).map(read);
	if (problems.length > 0) throw signInFailure(problems.join(' '));
	const settings = Object.fromEntries(entries) as AccountSettings;
	// One spelling for all equivalent addresses (RFC 3986 §6.2.2, §6.2.3).
	const { protocol, host, pathname } = new URL(settings.baseUrl);
	settings.baseUrl = `${protocol}//${host}${pathname}`.replace(/(?<!\/)\/+$/, '');
	return settings;
}

/** One-way hash, in hex, of the settings that a token depends on. */
export const fingerprint = (settings: AccountSettings): string =>
	createHash('sha256').update(JSON.stringify(settings)).digest('hex');
