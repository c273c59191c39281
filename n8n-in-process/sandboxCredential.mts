// The values of a credential with which a user reaches a sandbox.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { credentialValues } from '../sandbox/credentialValues.mts';

/** @returns the values that a user types; the others are the defaults of the form */
export const typedCredential = (baseUrl: string): Record<string, string> =>
	Object.fromEntries(
		credentialValues(baseUrl)
			.filter(({ isForOtherGrant }) => !isForOtherGrant)
			.map(({ name, value }) => [name, value]),
	);

/** @param changes values that differ, such as another grant type */
export const sandboxCredential = (
	baseUrl: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject => ({
	grantType: 'authorizationCode',
	...typedCredential(baseUrl),
	...changes,
});
