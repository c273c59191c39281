// The token as n8n stores it: one hidden field of the credential, holding the token and what it depends on.
import { isObject, parseJson } from '../http/json';
import { fingerprint, type AccountSettings } from './settings';

export interface Token {
	accessToken: string;
	/** Fingerprint of the settings it was obtained with. */
	settings: string;
	/** Milliseconds since the epoch. */
	obtainedAt: number;
	/** Milliseconds since the epoch; absent when the service gave no `expires_in`. */
	expiresAt?: number;
}

export const packToken = (token: Token): string => JSON.stringify(token);

/** @returns undefined for '' and for anything that is not a stored token */
export function unpackToken(packed: unknown): Token | undefined {
	const token = typeof packed === 'string' ? parseJson(packed) : undefined;
	return isObject(token) && typeof token.accessToken === 'string'
		? (token as unknown as Token)
		: undefined;
}

export const isExpired = ({ expiresAt }: Token): boolean =>
	expiresAt !== undefined && expiresAt <= Date.now();

/** The stored token, if it was obtained with these very settings and its lifetime has not passed. */
export function usableToken(packed: unknown, settings: AccountSettings): Token | undefined {
	const token = unpackToken(packed);
	return token && token.settings === fingerprint(settings) && !isExpired(token) ? token : undefined;
}
