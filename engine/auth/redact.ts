// Keeps secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them.
import { placesOf } from '../http/textSearch';
import type { AccountSettings } from './accountSettings';
import { formsOf, type SecretForm } from './secretForms';

/**
 * Whether a short secret is no part of a word. One of letters only must also be between delimiters, as in "wrong" or
 * password=wrong, because it could be a word.
 */
function standsAlone(text: string, from: number, to: number): boolean {
	const before = text.slice(Math.max(0, from - 10), from);
	const after = text.slice(to, to + 10);
	if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after)) return false;
	const isDelimited =
		/(?:^|[^\p{L}\p{N}\p{Zs}])\p{Zs}{0,9}$/u.test(before) &&
		/^\p{Zs}{0,9}(?:$|[^\p{L}\p{N}\p{Zs}])/u.test(after);
	return isDelimited || /[=:]$/.test(before) || !/^\p{L}+$/u.test(text.slice(from, to));
}

/** The forms that were made last: all messages of a run are searched for the same secrets. */
let lastForms: { key: string; forms: SecretForm[] } | undefined;

function formsOfAll(secrets: readonly string[]): SecretForm[] {
	const key = JSON.stringify(secrets);
	if (lastForms?.key !== key) lastForms = { key, forms: secrets.flatMap(formsOf) };
	return lastForms.forms;
}

/**
 * Replaces secrets by `***`, also encoded ones. Of secrets that overlap nothing is left.
 * @param text a text from outside
 * @param settings the account's, whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as its tokens
 */
export function redact(
	text: string,
	settings: Partial<AccountSettings>,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey = '', clientId, clientSecret = '', username, password = '' } = settings;
	// As HTTP joins them for signing in (RFC 7617 §2): in Base64 they are one secret.
	const pairs = [
		password && `${username}:${password}`,
		clientSecret && `${clientId}:${clientSecret}`,
	];
	const secrets = [apiKey, clientSecret, password, ...pairs, ...otherSecrets]
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');
	const hidden = new Uint8Array(text.length);
	for (const { text: form, isShort } of formsOfAll(secrets)) {
		// Most forms are in no text, and their beginning is found sooner.
		if (!text.includes(form.slice(0, 8))) continue;
		let hiddenTo = 0;
		for (const at of placesOf(form, text)) {
			const end = at + form.length;
			if (isShort && !standsAlone(text, at, end)) continue;
			hidden.fill(1, Math.max(at, hiddenTo), end);
			hiddenTo = end;
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
