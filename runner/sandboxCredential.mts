// What a user would type into the credential to reach a sandbox.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { clients, redirectUri, subscriptionKey, users } from '../sandbox/accounts.mts';

/** @param changes fields that differ, such as another grant */
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

/** What of it is typed; the rest is how the form starts. */
export function typedCredential(baseUrl: string): Record<string, string> {
	const { grantType, ...texts } = sandboxCredential(baseUrl);
	return texts as Record<string, string>;
}
