// The service's own words may echo what it was sent; secrets are taken out before anyone reads them.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { unpackToken } from './token';

/**
 * Takes out each secret, as it is and as JSON writes it; the longest first, for one may be a part of another.
 * @param text text from outside
 * @param credentials the credential whose secrets must not be read in it
 */
export function redact(text: string, credentials: ICredentialDataDecryptedObject): string {
	const { apiKey, clientSecret, password, accessToken } = credentials;
	return [apiKey, clientSecret, password, unpackToken(accessToken)?.accessToken]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '')
		.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
		.sort((one, other) => other.length - one.length)
		.reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
}
