// The settings of the credential, as signing in and signing requests need them: checked, normalized and comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { headerProblem, invisibleProblem } from '../http/headerText';
import { SignInError } from './signInError';

const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** A Base URL is https, or http on this machine, and has no user name, password, query or fragment. */
function baseUrlProblem(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isAllowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
	return !isAllowed || url.username || url.password || url.search || url.hash
		? 'must be an address such as https://records.example.org (http:// only for a service on the machine that runs n8n)'
		: undefined;
}

/** The grants of the API spec, each with the settings that it does not use. */
const unusedByGrant = { authorizationCode: [], password: ['redirectUri'] } as const;

export type GrantType = keyof typeof unusedByGrant;

const grantProblem = (text: string) =>
	Object.hasOwn(unusedByGrant, text)
		? undefined
		: `must be ${Object.keys(unusedByGrant).join(' or ')}`;

export interface AccountSetting {
	/** Its name on the credential's form. */
	label: string;
	/** The problem with a value, without the value. */
	problemOf?: (text: string) => string | undefined;
}

/**
 * The settings that a token depends on: a token that was obtained with other values is never sent. The key travels in
 * a header. An ID or secret of an application has only visible characters (RFC 6749 §A.1, §A.2), but a service may take
 * letters of other languages. A user name and a password may hold anything.
 */
export const accountSettings = {
	baseUrl: { label: 'Base URL', problemOf: baseUrlProblem },
	apiKey: { label: 'Subscription Key', problemOf: headerProblem },
	grantType: { label: 'Grant Type', problemOf: grantProblem },
	clientId: { label: 'Client ID', problemOf: invisibleProblem },
	clientSecret: { label: 'Client Secret', problemOf: invisibleProblem },
	username: { label: 'Username' },
	password: { label: 'Password' },
	redirectUri: { label: 'Redirect URI' },
} satisfies Record<string, AccountSetting>;

export type AccountSettings = Record<keyof typeof accountSettings, string> & {
	grantType: GrantType;
};

/** When these are copied from a web page, a space or a line break often comes along. */
const trimmed = ['baseUrl', 'apiKey', 'clientId', 'redirectUri'];

/** @throws SignInError that names each setting with a value that cannot be meant, and never the value */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const problems: string[] = [];
	const read = ([name, { label, problemOf }]: [string, AccountSetting]) => {
		const value = credentials[name];
		const given = typeof value === 'string' ? value : '';
		const text = trimmed.includes(name) ? given.trim() : given;
		const problem = problemOf?.(text);
		if (problem) problems.push(`'${label}' in the credential ${problem}.`);
		return [name, text];
	};
	const entries = Object.entries<AccountSetting>(accountSettings).map(read);
	if (problems.length > 0)
		throw new SignInError(`${problems.join(' ')} Delete the value and type it, or copy it again.`);
	const settings = Object.fromEntries(entries) as AccountSettings;
	// One spelling for all that the address may be written in (RFC 3986 §6.2.2, §6.2.3).
	const { protocol, host, pathname } = new URL(settings.baseUrl);
	settings.baseUrl = `${protocol}//${host}${pathname}`.replace(/(?<!\/)\/+$/, '');
	// n8n keeps the value of a field that the form hides.
	for (const name of unusedByGrant[settings.grantType]) settings[name] = '';
	return settings;
}

/** One-way hash, in hex, of the settings that a token depends on. */
export const fingerprint = (settings: AccountSettings): string =>
	createHash('sha256').update(JSON.stringify(settings)).digest('hex');
