// Keeps secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them.
import type { AccountSettings } from './accountSettings';
import { parametersOf } from './additionalParameters';
import { formsOf, minLengthInWords } from './secretForms';

/** Most characters of a text that are searched and given back: more than any message shows. */
const maxLength = 64 * 1024;

/** Whether a short secret is no part of a word or a number. */
const standsAlone = (text: string, from: number, to: number): boolean =>
	!/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, from - 2), from)) &&
	!/^[\p{L}\p{N}]/u.test(text.slice(to, to + 2));

/** The forms that were made last: all messages of a run are searched for the same secrets. */
let lastForms: { key: string; forms: string[] } | undefined;

function formsOfAll(secrets: readonly string[]): string[] {
	const key = JSON.stringify(secrets);
	if (lastForms?.key !== key) lastForms = { key, forms: [...new Set(secrets)].flatMap(formsOf) };
	return lastForms.forms;
}

/**
 * Replaces secrets by `***`, also encoded ones. Of secrets that overlap nothing is left.
 * @param longText a text from outside; a message shows at most its beginning
 * @param settings the account's, whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as its tokens
 */
export function redact(
	longText: string,
	settings: Partial<AccountSettings>,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey = '', clientId, clientSecret = '', username, password = '' } = settings;
	const parameters = (parametersOf(settings.additionalParameters) ?? []).map(([, value]) => value);
	const others = [
		// What is shorter is an ID, a switch, or a word of OAuth such as "token".
		...parameters.filter((value) => value.length >= minLengthInWords),
		...otherSecrets,
		// As HTTP joins them for signing in (RFC 7617 §2): in Base64 they are one secret.
		password && `${username}:${password}`,
		clientSecret && `${clientId}:${clientSecret}`,
	];
	const secrets = [apiKey, clientSecret, password, ...others]
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');
	const text = longText.slice(0, maxLength);
	const hidden = new Uint8Array(text.length);
	for (const form of formsOfAll(secrets)) {
		// Those that overlap count too.
		for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
			const end = at + form.length;
			if (form.length < minLengthInWords && !standsAlone(text, at, end)) continue;
			hidden.fill(1, at, end);
		}
	}
	if (!hidden.includes(1)) return text;
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (!hidden[at]) shown += text[at];
		else if (!hidden[at - 1]) shown += '***';
	}
	return shown;
}
