// The accounts, the API spec's three authorization and token operations, and an identity provider's token endpoint.
import { randomBytes } from 'node:crypto';

import type { Dialects } from './dialects.mts';
import { unauthorized, oauthError } from './errorResponses.mts';

export interface Client {
	id: string;
	/** Absent for a public client (RFC 6749 §2.1). */
	secret?: string;
	redirectUri: string;
	/** The password grant is reserved for the owner's own applications and for testing. */
	mayUsePasswordGrant: boolean;
}

export interface User {
	username: string;
	password: string;
	mayWrite: boolean;
}

/** This value and the following ones are typed into the credential, and printed when the sandbox starts. */
export const subscriptionKey = 'sandbox-subscription-key';
/** A key belongs to a product. This one's product only covers sign-ins, incidents and users. */
export const incidentsKey = 'sandbox-incidents-key';
export const redirectUri = 'https://app.agency.example/callback';
export const clients: Client[] = [
	{ id: 'station-app', secret: 'station-app-secret', redirectUri, mayUsePasswordGrant: true },
	{ id: 'public-app', redirectUri, mayUsePasswordGrant: false },
];
export const users: User[] = [
	{ username: 'chief', password: 'chief-password', mayWrite: true },
	{ username: 'probationer', password: 'probationer-password', mayWrite: false },
];

/** By the names that the credential's type gives them. */
export const changeableSecrets = ['apiKey', 'password'] as const;

const codeLifetime = 60_000;
const refreshTokenLifetime = 7 * 24 * 3600_000;
const token = () => randomBytes(24).toString('base64url');

/** @returns '' if the header does not have the form that the service accepts */
function tokenIn(authorization = '', form: Dialects['authorizationHeader']): string {
	const [, scheme = '', token = ''] = /^(Bearer )?(.*)$/.exec(authorization) ?? [];
	const hasForm = { either: true, token: scheme === '', bearer: scheme !== '' };
	return hasForm[form] ? token : '';
}

interface IssuedToken {
	user: User;
	/** Milliseconds since the epoch. */
	expires: number;
}

type Body = Record<string, string>;

function requireGrant({ grant_type }: Body, type: string): void {
	if (grant_type === type) return;
	throw oauthError('unsupported_grant_type', `The grant type must be ${type}`);
}

export interface AccountRules {
	/** Seconds; an hour if not given. */
	tokenLifetime?: number;
	/** Whether a new access token ends the user's older one. */
	oneLiveToken?: boolean;
}

export class Accounts {
	private readonly codes = new Map<string, IssuedToken & { client: Client }>();
	private tokens = new Map<string, IssuedToken>();
	private readonly refreshTokens = new Map<string, IssuedToken>();
	subscriptionKey = subscriptionKey;
	readonly users = structuredClone(users);
	private readonly tokenLifetime: number;
	private readonly oneLiveToken: boolean;

	constructor({ tokenLifetime = 3600, oneLiveToken = false }: AccountRules) {
		this.tokenLifetime = tokenLifetime;
		this.oneLiveToken = oneLiveToken;
	}

	private client(id: string): Client {
		const client = clients.find((known) => known.id === id);
		if (!client) throw oauthError('invalid_client', 'The client ID is not known to the service');
		return client;
	}

	private confirmedClient({ client_id, client_secret }: Body): Client {
		const client = this.client(client_id!);
		if (client.secret !== undefined && client.secret !== client_secret) {
			throw oauthError('invalid_client', 'The client secret is wrong');
		}
		return client;
	}

	private user({ username, password }: Body): User {
		const user = this.users.find((known) => known.username === username);
		if (user && user.password === password) return user;
		throw oauthError('invalid_grant', 'The username or the password is wrong');
	}

	private issue(user: User) {
		if (this.oneLiveToken) {
			for (const [older, grant] of this.tokens) {
				if (grant.user === user) this.tokens.delete(older);
			}
		}
		const access_token = token();
		const expires = Date.now() + this.tokenLifetime * 1000;
		this.tokens.set(access_token, { user, expires });
		const refresh_token = token();
		this.refreshTokens.set(refresh_token, { user, expires: Date.now() + refreshTokenLifetime });
		return {
			access_token,
			expires_in: this.tokenLifetime,
			token_type: 'Bearer',
			scope: null,
			refresh_token,
		};
	}

	/** @returns the redirect address with code and state */
	authorize(body: Body): string {
		if (body.response_type !== 'code') {
			throw oauthError('unsupported_response_type', 'The response type must be code');
		}
		const client = this.client(body.client_id!);
		const user = this.user(body);
		const code = token();
		this.codes.set(code, { user, client, expires: Date.now() + codeLifetime });
		const address = new URL(client.redirectUri);
		address.searchParams.set('code', code);
		address.searchParams.set('state', body.state!);
		return address.href;
	}

	passwordToken(body: Body) {
		requireGrant(body, 'password');
		if (!this.confirmedClient(body).mayUsePasswordGrant) {
			throw oauthError('unauthorized_client', 'This client may not use the password grant');
		}
		return this.issue(this.user(body));
	}

	/** Gives a new token for a refresh token. */
	refreshToken(body: Body) {
		requireGrant(body, 'refresh_token');
		this.confirmedClient(body);
		const grant = this.refreshTokens.get(body.refresh_token!);
		if (!grant || grant.expires < Date.now()) {
			throw oauthError('invalid_grant', 'The refresh token is unknown or expired');
		}
		return this.issue(grant.user);
	}

	/** The identity provider's response (RFC 6749 §4.3.3). Any client may use it. */
	identityToken(body: Body) {
		requireGrant(body, 'password');
		this.confirmedClient(body);
		const { access_token, token_type, expires_in } = this.issue(this.user(body));
		const { scope } = body;
		return { access_token, token_type, expires_in: String(expires_in), ...(scope && { scope }) };
	}

	/** In the public record, the password grant comes here, too; it has no code, which is required otherwise. */
	codeToken(body: Body) {
		if (body.grant_type === 'password' && body.code === undefined) return this.passwordToken(body);
		requireGrant(body, 'authorization_code');
		const client = this.confirmedClient(body);
		const grant = this.codes.get(body.code!);
		this.codes.delete(body.code!);
		if (!grant || grant.client !== client || grant.expires < Date.now()) {
			throw oauthError('invalid_grant', 'The authorization code is unknown, used or expired');
		}
		if (body.redirect_uri !== client.redirectUri) {
			throw oauthError(
				'invalid_grant',
				'The redirect URI is not the one registered for the client',
			);
		}
		return this.issue(grant.user);
	}

	/**
	 * The user whose token a request has.
	 * @param authorization value of the Authorization header
	 * @throws ErrorResponse (401)
	 */
	userOfToken(authorization: string | undefined, form: Dialects['authorizationHeader']): User {
		const grant = this.tokens.get(tokenIn(authorization, form));
		if (!grant || grant.expires <= Date.now()) throw unauthorized('Invalid token');
		return grant.user;
	}

	/**
	 * Changes a secret, or changes it back, as the service owner could; tokens stay as they are.
	 * @returns the new one
	 */
	changeSecret(name: (typeof changeableSecrets)[number]): string {
		const chief = this.users[0]!;
		const now = name === 'apiKey' ? this.subscriptionKey : chief.password;
		const next = now.endsWith('-2') ? now.slice(0, -2) : `${now}-2`;
		if (name === 'apiKey') this.subscriptionKey = next;
		else chief.password = next;
		return next;
	}

	/** Makes the token of one request invalid, before its time. */
	revokeToken(authorization?: string): void {
		this.tokens.delete(tokenIn(authorization, 'either'));
	}

	/** Makes every token issued so far invalid, as a restarted service does. */
	revokeTokens(): void {
		this.tokens = new Map();
	}
}
