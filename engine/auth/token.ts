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

/** As the service issues it. */
export type IssuedToken = Omit<Token, 'settings'>;

/** The text that n8n stores. */
export const packToken = (token: Token): string => JSON.stringify(token);

/** @returns undefined for '' and for anything that is not a stored token */
export function unpackToken(packed: unknown): Token | undefined {
	const token = parseJson(String(packed));
	const isToken = isObject(token) && typeof token.accessToken === 'string';
	return isToken ? (token as unknown as Token) : undefined;
}

export const isExpired = ({ expiresAt }: Token): boolean => !!expiresAt && expiresAt <= Date.now();
