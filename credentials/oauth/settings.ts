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

export type Settings = Record<(typeof signInSettings)[number], string>;

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

/** @throws SignInError when the Base URL is not allowed */
export function settingsOf(credentials: ICredentialDataDecryptedObject): Settings {
	const settings = Object.fromEntries(
		signInSettings.map((name) => [name, string(credentials[name])]),
	) as Settings;
	return {
		...settings,
		baseUrl: checkedBaseUrl(settings.baseUrl),
		// Copied from a web page, these often bring a space or a line break along.
		apiKey: settings.apiKey.trim(),
		clientId: settings.clientId.trim(),
		redirectUri: settings.redirectUri.trim(),
	};
}

/** One-way hash of the settings a token depends on (hex). */
export const fingerprint = (settings: Settings): string =>
	createHash('sha256')
		.update(JSON.stringify(signInSettings.map((name) => settings[name])))
		.digest('hex');
