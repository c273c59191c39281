// The credential signs requests for n8n, but never one to another host.
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { accountOf } from '../../../engine/auth/account';
import { packSignIn } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

/** A credential that holds a token of its own. */
const signedIn = (baseUrl: string) => {
	const settings = sandboxCredential(baseUrl, { grantType: 'password' });
	const token = { accessToken: 't', settings: accountOf(settings).key, obtainedAt: Date.now() };
	return { ...settings, accessToken: packSignIn(token) };
};
const { authenticate } = new AgencyRecordsApi();
const sign = async (url: string, credentials: object, more: object = {}) =>
	await (authenticate as Extract<typeof authenticate, (...args: never[]) => unknown>)(
		{ ...credentials },
		{ url, ...more },
	);

test.each([
	'https://b.example/api',
	'http://a.example/api',
	'https://a.example:8443/api',
	'https://a.example.evil.example/vendors',
	'https://a.example@evil.example/vendors',
	'https://a.exampl/e/vendors',
])('nothing is sent to %s', async (other) => {
	const host = signedIn('https://a.example');
	await expect(sign('https://a.example/vendors', host)).resolves.toBeDefined();
	for (const credentials of [host, signedIn('https://a.example/api')])
		await expect(sign(other, credentials)).rejects.toThrow(
			/only sent to the host of its 'Base URL'/,
		);
});

/** As the HTTP Request node sets them, and n8n's newer request helper. */
test.each<[object, RegExp]>([
	[{ proxy: 'http://proxy.example:8080' }, /'Proxy'/],
	[{ proxy: { host: 'proxy.example', port: 8080 } }, /'Proxy'/],
	[{ rejectUnauthorized: false }, /'Ignore SSL Issues'/],
	[{ skipSslCertificateValidation: true }, /'Ignore SSL Issues'/],
	[{ headers: { hOST: 'evil.example' } }, /'Host'/],
	[{ headers: { ' Host': 'evil.example' } }, /'Host'/],
	[{ headers: { 'host\t': 'evil.example' } }, /'Host'/],
	// n8n's older helper prefers `url`.
	[{ uri: 'https://a.example/vendors', url: 'https://evil.example' }, /'Base URL'/],
	[{ uri: 'https://evil.example' }, /'Base URL'/],
])('nothing is sent with %j', async (more, named) => {
	const credentials = signedIn('https://a.example');
	const usual = { proxy: '', rejectUnauthorized: true, headers: { Accept: '*/*' } };
	const url = 'https://a.example/vendors';
	await expect(sign(url, credentials, usual)).resolves.toBeDefined();
	await expect(sign(url, credentials, { ...usual, ...more })).rejects.toThrow(named);
});
