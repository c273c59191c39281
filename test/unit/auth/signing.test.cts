// A request is signed by the credential, as n8n asks it to: one to another host never is.
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { accountOf } from '../../../engine/auth/account';
import { packSignIn } from '../../../engine/auth/token';

/** A credential that holds a token of its own. */
const signedIn = (baseUrl: string) => {
	const settings = { baseUrl, grantType: 'password', apiKey: 'k' };
	const token = { accessToken: 't', settings: accountOf(settings).key, obtainedAt: Date.now() };
	return { ...settings, accessToken: packSignIn(token) };
};
const { authenticate } = new AgencyRecordsApi();
const sign = async (url: string, credentials: object) =>
	await (authenticate as Extract<typeof authenticate, (...args: never[]) => unknown>)(
		{ ...credentials },
		{ url },
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
