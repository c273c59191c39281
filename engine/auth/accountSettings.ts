// The settings of the credential, as signing in and signing requests need them: checked, normalized and comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { headerProblem, invisibleProblem } from '../http/headerText';
import { objectProblem } from './additionalParameters';
import { SignInError } from './signInError';

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

interface AccountSetting {
	/** Its name on the credential's form. */
	label: string;
	/** The problem with a value, without the value. */
	problemOf?: (text: string) => string | undefined;
	/** The only grant that uses it. */
	grant?: GrantType;
}

const ofProvider = { grant: 'identityProvider' } as const;

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
	clientSecret: { label: 'Client Secret', problemOf: invisibleProblem },
	username: { label: 'Username' },
	password: { label: 'Password' },
	redirectUri: { label: 'Redirect URI', grant: 'authorizationCode' },
	tokenUrl: { label: 'Token URL', problemOf: addressProblem, ...ofProvider },
	scope: { label: 'Scope', ...ofProvider },
	additionalParameters: { label: 'Additional Parameters', problemOf: objectProblem, ...ofProvider },
} satisfies Record<string, AccountSetting>;

export type AccountSettings = Record<keyof typeof accountSettings, string> & {
	grantType: GrantType;
};

/** When others are copied from a web page, a space or a line break often comes along. */
const untrimmed = ['clientSecret', 'username', 'password'];

/** @throws SignInError that names each setting with a value that cannot be meant, and never the value */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const problems: string[] = [];
	const read = ([name, { label, problemOf, grant }]: [string, AccountSetting]) => {
		// n8n keeps the value of a field that the form hides.
		if (grant && grant !== credentials.grantType) return [name, ''];
		const value = credentials[name] ?? '';
		// An expression may give a number or an object.
		const given = typeof value === 'string' ? value : JSON.stringify(value);
		const text = untrimmed.includes(name) ? given : given.trim();
		const problem = problemOf?.(text);
		if (problem) problems.push(`'${label}' in the credential ${problem}.`);
		return [name, text];
	};
	const entries = Object.entries<AccountSetting>(accountSettings).map(read);
	if (problems.length > 0) throw new SignInError(problems.join(' '));
	const settings = Object.fromEntries(entries) as AccountSettings;
	// One spelling for all that the address may be written in (RFC 3986 §6.2.2, §6.2.3).
	const { protocol, host, pathname } = new URL(settings.baseUrl);
	settings.baseUrl = `${protocol}//${host}${pathname}`.replace(/(?<!\/)\/+$/, '');
	return settings;
}

/** One-way hash, in hex, of the settings that a token depends on. */
export const fingerprint = (settings: AccountSettings): string =>
	createHash('sha256').update(JSON.stringify(settings)).digest('hex');
