// Reads the credential from n8n's database.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { SignInError } from '../auth/signInError';
import { credentialType } from '../auth/signing';
import type { NodeContext } from '../n8n';
import { withinCallTime, withRetries } from '../n8nDatabase';

/**
 * Whether n8n itself refuses to give the credential: none is selected, it does not exist, or the node may not use it.
 * Such errors have the level at which n8n reports them (BaseError and ApplicationError of n8n-workflow); those of the
 * database and of its driver have none. n8n 1.85 says of any error of its database that the credential does not exist.
 */
const isRefusedByN8n = (error: Error): boolean => 'level' in error;

/**
 * Reads the credential as it is stored now, again if n8n's database fails.
 * @param stop ends the retries
 * @throws SignInError when n8n does not give the credential
 */
export async function readCredential(
	ctx: NodeContext,
	stop: AbortSignal,
): Promise<ICredentialDataDecryptedObject> {
	const read = () => ctx.getCredentials(credentialType);
	const reading = withRetries(read, stop, (error) => !isRefusedByN8n(error));
	return await withinCallTime(reading).catch((error: Error) => {
		if (isRefusedByN8n(error)) throw new SignInError(error.message);
		const message = `n8n could not read the credential from its database: ${error.message}`;
		throw new SignInError(message, 'n8nUnavailable');
	});
}
