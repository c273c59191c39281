// How many rows of a list one request asks for. The API spec leaves the maximum open, and it differs by service, so this
// is a setting of the credential and applies to all nodes that use it.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { integer } from '../area';
import { Failure } from '../failure';

export const pageSizeField = integer('pageSize', {
	min: 1,
	default: 100,
	description: 'Number of rows of a list to ask for in one request',
});

/**
 * @param credentials the credential; without the setting, the default applies
 * @throws Failure for a value that the form does not allow, such as one from an expression
 */
export function pageSizeOf(credentials: ICredentialDataDecryptedObject): number {
	const pageSize = credentials.pageSize ?? pageSizeField.default;
	if (Number.isSafeInteger(pageSize) && Number(pageSize) >= 1) return Number(pageSize);
	throw new Failure("'Page Size' in the credential is not a whole number from 1 up", 'notSent', {
		code: 'credentialUnusable',
		advice: 'Correct it in the credential.',
	});
}
