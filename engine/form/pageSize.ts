// How many rows a request of a list asks for: the API spec leaves open how many may be asked for, and each service has
// one answer. So it is a setting of the credential, and counts for all nodes that use the service.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { integer } from '../area';
import { Failure } from '../failure';

export const pageSizeField = integer('pageSize', {
	min: 1,
	default: 100,
	description: 'Number of rows of a list to ask for in one request',
});

/**
 * @param credentials the credential; without the setting, the default counts
 * @throws Failure when the form does not offer the value, as an expression may give one
 */
export function pageSizeOf(credentials: ICredentialDataDecryptedObject): number {
	const pageSize = credentials.pageSize ?? pageSizeField.default;
	if (Number.isSafeInteger(pageSize) && Number(pageSize) >= 1) return Number(pageSize);
	throw new Failure("'Page Size' in the credential is not a whole number from 1 up", 'notSent', {
		code: 'credentialUnusable',
		advice: 'Correct it in the credential.',
	});
}
