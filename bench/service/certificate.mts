// A self-signed certificate, so that the measured service can be reached over TLS on this machine.
import { generate } from 'selfsigned';

/** A private key and its certificate, both as PEM. */
export interface TlsIdentity {
	key: string;
	certificate: string;
}

const halfDay = 43_200_000;

/**
 * The certificate is valid for one day and only for 127.0.0.1. It is never stored.
 * @param now the middle of that day, in milliseconds since the epoch
 */
export async function selfSignedIdentity(now = Date.now()): Promise<TlsIdentity> {
	const { private: key, cert: certificate } = await generate(
		[{ name: 'commonName', value: 'Benchmark' }],
		{
			keyType: 'ec',
			curve: 'P-256',
			notBeforeDate: new Date(now - halfDay),
			notAfterDate: new Date(now + halfDay),
			extensions: [
				{ name: 'basicConstraints', cA: true },
				{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
			],
		},
	);
	return { key, certificate };
}
