// The values of a credential with which a user reaches a sandbox.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { clients, redirectUri, users } from '../sandbox/accounts.mts';
import { subscriptionKey } from '../sandbox/gateway.mts';

/** @param changes values that differ, such as another grant type */
export const sandboxCredential = (
	baseUrl: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject => ({
	baseUrl,
	apiKey: subscriptionKey,
	grantType: 'authorizationCode',
	clientId: clients[0]!.id,
	clientSecret: clients[0]!.secret!,
	username: users[0]!.username,
	password: users[0]!.password,
	redirectUri,
	...changes,
});

/** @returns the values that a user types; the others are the defaults of the form */
export function typedCredential(baseUrl: string): Record<string, string> {
	const { grantType, ...texts } = sandboxCredential(baseUrl);
	return texts as Record<string, string>;
}
