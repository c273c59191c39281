// The settings of the credential, as signing in and signing requests need them: checked, normalized and comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { headerProblem, invisibleProblem } from '../http/headerText';
import { SignInError } from './signInError';

/** The settings that a token depends on: a token that was obtained with other values is never sent. */
const settingNames = [
	'baseUrl',
	'apiKey',
	'grantType',
	'clientId',
	'clientSecret',
	'username',
	'password',
	'redirectUri',
] as const;

export type AccountSettings = Record<(typeof settingNames)[number], string>;

const withoutSlashesAtEnd = (address: string): string => address.replace(/(?<!\/)\/+$/, '');

const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * The Base URL without trailing slashes.
 * @throws SignInError unless it is https, or http on this machine, and has no user name, password, query or fragment
 */
function checkedBaseUrl(baseUrl: string): string {
	const text = baseUrl.trim();
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isAllowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
	if (!url || !isAllowed || url.username || url.password || url.search || url.hash) {
		throw new SignInError(
			"'Base URL' in the credential must be an address that begins with https:// (http:// only for a service on the machine that runs n8n), such as https://records.example.org",
		);
	}
	return withoutSlashesAtEnd(text);
}

/**
 * One spelling for all that a service's address may be written in: scheme and host in lower case, without a default
 * port, and without slashes at the end (RFC 3986 §6.2.2, §6.2.3).
 * @param baseUrl an allowed Base URL
 */
export function addressOf(baseUrl: string): string {
	const { protocol, host, pathname } = new URL(baseUrl);
	return withoutSlashesAtEnd(`${protocol}//${host}${pathname}`);
}

/**
 * What is wrong with the characters of a setting. The key travels in a header. An ID or secret of an application has
 * only visible characters (RFC 6749 §A.1, §A.2), but a service may take letters of other languages. A user name and a
 * password may hold anything.
 */
const characterChecks: ReadonlyArray<
	[name: keyof AccountSettings, label: string, problemOf: (text: string) => string | undefined]
> = [
	['apiKey', 'Subscription Key', headerProblem],
	['clientId', 'Client ID', invisibleProblem],
	['clientSecret', 'Client Secret', invisibleProblem],
];

/** @throws SignInError that names the setting and the kind of character, and never the value */
function checkCharacters(settings: AccountSettings): void {
	const problems = characterChecks.flatMap(([name, label, problemOf]) => {
		const problem = problemOf(settings[name]);
		return problem === undefined ? [] : [`'${label}' in the credential ${problem}.`];
	});
	if (problems.length > 0)
		throw new SignInError(`${problems.join(' ')} Delete the value and type it, or copy it anew.`);
}

/** @throws SignInError when the Base URL is not allowed, or a key or secret has characters that cannot be meant */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const settings = Object.fromEntries(
		settingNames.map((name) => {
			const value = credentials[name];
			return [name, typeof value === 'string' ? value : ''];
		}),
	) as AccountSettings;
	const normalized = {
		...settings,
		baseUrl: checkedBaseUrl(settings.baseUrl),
		// When these are copied from a web page, a space or a line break often comes along.
		apiKey: settings.apiKey.trim(),
		clientId: settings.clientId.trim(),
		// n8n keeps the value of a field that the form hides.
		redirectUri: settings.grantType === 'password' ? '' : settings.redirectUri.trim(),
	};
	checkCharacters(normalized);
	return normalized;
}

/** One-way hash, in hex, of the settings that a token depends on. */
export function fingerprint(settings: AccountSettings): string {
	const values = JSON.stringify(settingNames.map((name) => settings[name]));
	return createHash('sha256').update(values).digest('hex');
}
