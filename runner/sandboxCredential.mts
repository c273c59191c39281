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

/** The same as a person types it, by the labels of the form. */
export const sandboxCredentialTexts = (baseUrl: string): Record<string, string> => ({
	'Base URL': baseUrl,
	'Subscription Key': subscriptionKey,
	'Client ID': clients[0]!.id,
	'Client Secret': clients[0]!.secret!,
	Username: users[0]!.username,
	Password: users[0]!.password,
	'Redirect URI': redirectUri,
});
