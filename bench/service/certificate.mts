// A certificate for this machine, signed by itself. Node.js reads certificates but makes none, so it is written
// here in DER (X.690), field by field as RFC 5280 §4.1 lists them.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A private key and its certificate, both as PEM. */
export interface Identity {
	key: string;
	certificate: string;
}

const sequence = 0x30;
const set = 0x31;
/** A field of the certificate that has a number of its own. */
const numbered = (number: number) => 0xa0 + number;

/** A value with its tag and length; values made of others hold them one after the other. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
	const size = length < 0x80 ? bytes : [0x80 + bytes.length, ...bytes];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const integer = (...bytes: number[]) => der(0x02, Buffer.from(bytes));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (value: Uint8Array) => der(0x04, value);
const bits = (value: Uint8Array) => der(0x03, Buffer.from([0]), value);

/** UTCTime: YYMMDDhhmmssZ. */
const utcTime = (date: Date) =>
	der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

const ids = {
	ecdsaWithSha256: objectId('2a8648ce3d040302'),
	commonName: objectId('550403'),
	basicConstraints: objectId('551d13'),
	subjectAltName: objectId('551d11'),
};

const day = 86_400_000;

/** Good for a day, for 127.0.0.1 only. */
export function ownCertificate(): Identity {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der(sequence, ids.ecdsaWithSha256);
	const name = der(
		sequence,
		der(set, der(sequence, ids.commonName, der(0x0c, Buffer.from('Benchmark')))),
	);
	const isAuthority = der(sequence, der(0x01, Buffer.from([0xff])));
	const loopback = der(sequence, der(0x87, Buffer.from([127, 0, 0, 1])));
	const extensions = der(
		sequence,
		der(sequence, ids.basicConstraints, octets(isAuthority)),
		der(sequence, ids.subjectAltName, octets(loopback)),
	);
	const now = Date.now();
	const content = der(
		sequence,
		der(numbered(0), integer(2)),
		integer(1, ...randomBytes(8)),
		algorithm,
		name,
		der(sequence, utcTime(new Date(now - day / 2)), utcTime(new Date(now + day / 2))),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(numbered(3), extensions),
	);
	const whole = der(sequence, content, algorithm, bits(sign('sha256', content, privateKey)));
	const lines = whole.toString('base64').match(/.{1,64}/g)!;
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
	};
}
