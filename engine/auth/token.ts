// The latest sign-in as n8n stores it: a hidden field of the credential, which holds the access token, or why there is
// none, and what that depends on.
import type { FailureCode } from '../failure';
import { isObject, parseJson } from '../http/json';

interface SignIn {
	/** Fingerprint of the settings that it was made with. */
	settings: string;
	/** Milliseconds since the epoch. */
	obtainedAt: number;
}

export interface Token extends SignIn {
	accessToken: string;
	/** Milliseconds since the epoch; absent when the service gave no `expires_in`. */
	expiresAt?: number;
}

/** As the service issues it. */
export type IssuedToken = Omit<Token, 'settings'>;

/** A sign-in that would be refused again, and might lock the account. */
export interface RefusedSignIn extends SignIn {
	/** Why, as the user reads it. */
	refusal: string;
	reason: FailureCode;
}

/** The text that n8n stores. */
export const packSignIn = (signIn: Token | RefusedSignIn): string => JSON.stringify(signIn);

/** @returns undefined for '' and for anything that is not a stored sign-in */
export function unpackSignIn(packed: unknown): Token | RefusedSignIn | undefined {
	const signIn = parseJson(String(packed));
	const isSignIn = isObject(signIn) && typeof (signIn.accessToken ?? signIn.refusal) === 'string';
	return isSignIn ? (signIn as unknown as Token | RefusedSignIn) : undefined;
}

export const isRefused = (signIn: Token | RefusedSignIn | undefined): signIn is RefusedSignIn =>
	!!signIn && 'refusal' in signIn;

export const isExpired = ({ expiresAt }: Token): boolean => !!expiresAt && expiresAt <= Date.now();
