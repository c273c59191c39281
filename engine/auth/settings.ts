// The credential's settings as sign-in and signing read them: checked, normalized, comparable.
import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { SignInError } from './signInError';

const string = (value: unknown) => (typeof value === 'string' ? value : '');

/** What a token depends on; a token obtained with other values is never sent. */
const signInSettings = [
	'baseUrl',
	'apiKey',
	'grantType',
	'clientId',
	'clientSecret',
	'username',
	'password',
	'redirectUri',
] as const;

export type AccountSettings = Record<(typeof signInSettings)[number], string>;

const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * The Base URL without trailing slashes.
 * @throws SignInError unless it is https, or http on this machine, without user name, query and fragment
 */
export function checkedBaseUrl(baseUrl: unknown): string {
	const text = string(baseUrl).trim();
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const allowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
	if (!url || !allowed || url.username || url.password || url.search || url.hash) {
		throw new SignInError(
			"'Base URL' in the credential must be an address that begins with https:// (http:// only for this machine), such as https://records.example.org",
		);
	}
	return text.replace(/\/+$/, '');
}

/**
 * One spelling for all that a service's address may be written in: scheme and host in lower case, without a default
 * port, and without slashes at the end (RFC 3986 §6.2.2, §6.2.3).
 * @param baseUrl an allowed Base URL
 */
export function addressOf(baseUrl: string): string {
	const { protocol, host, pathname } = new URL(baseUrl);
	return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

function readSettings(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const settings = Object.fromEntries(
		signInSettings.map((name) => [name, string(credentials[name])]),
	) as AccountSettings;
	return {
		...settings,
		baseUrl: checkedBaseUrl(settings.baseUrl),
		// Copied from a web page, these often bring a space or a line break along.
		apiKey: settings.apiKey.trim(),
		clientId: settings.clientId.trim(),
		// n8n keeps it also where the form hides it.
		redirectUri: settings.grantType === 'password' ? '' : settings.redirectUri.trim(),
	};
}

/** All requests of a run are signed with the same credential: it is read and hashed once. */
let lastRead:
	| { credentials: ICredentialDataDecryptedObject; settings: AccountSettings }
	| undefined;
const fingerprints = new WeakMap<AccountSettings, string>();

/**
 * @returns the same object for the same values, as long as no others come in between
 * @throws SignInError when the Base URL is not allowed
 */
export function settingsOf(credentials: ICredentialDataDecryptedObject): AccountSettings {
	const known = lastRead;
	if (known && signInSettings.every((name) => known.credentials[name] === credentials[name])) {
		return known.settings;
	}
	const settings = readSettings(credentials);
	lastRead = { credentials: { ...credentials }, settings };
	return settings;
}

/** One-way hash of the settings a token depends on (hex). */
export function fingerprint(settings: AccountSettings): string {
	const known = fingerprints.get(settings);
	if (known !== undefined) return known;
	const values = JSON.stringify(signInSettings.map((name) => settings[name]));
	const hash = createHash('sha256').update(values).digest('hex');
	fingerprints.set(settings, hash);
	return hash;
}
