// The access token as n8n stores it: a hidden field of the credential, which holds the token and what it depends on.
import { isObject, parseJson } from '../http/json';

export interface Token {
	accessToken: string;
	/** Fingerprint of the settings that it was obtained with. */
	settings: string;
	/** Milliseconds since the epoch. */
	obtainedAt: number;
	/** Milliseconds since the epoch; absent when the service gave no `expires_in`. */
	expiresAt?: number;
}

/** The last token in both forms: each request packs and unpacks the same one. */
let lastPacked: { packed: string; token: Token } | undefined;

/** @param token an object that is not changed afterwards, since its packed form is kept */
export function packToken(token: Token): string {
	if (lastPacked?.token !== token) lastPacked = { packed: JSON.stringify(token), token };
	return lastPacked.packed;
}

/** @returns undefined for '' and for anything that is not a stored token */
export function unpackToken(packed: unknown): Token | undefined {
	if (typeof packed !== 'string') return undefined;
	if (lastPacked?.packed === packed) return lastPacked.token;
	const token = parseJson(packed);
	if (!isObject(token) || typeof token.accessToken !== 'string') return undefined;
	lastPacked = { packed, token: token as unknown as Token };
	return lastPacked.token;
}

export const isExpired = ({ expiresAt }: Token): boolean =>
	expiresAt !== undefined && expiresAt <= Date.now();
