// A request is signed by the credential, as n8n asks it to.
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { accountOf } from '../../../engine/auth/account';
import { packToken } from '../../../engine/auth/token';

const whole = {
	baseUrl: 'https://a.example/api',
	apiKey: 'k',
	grantType: 'authorizationCode',
	clientId: 'c',
	clientSecret: 's',
	username: 'u',
	password: 'p',
	redirectUri: 'https://app.example/cb',
};
/** A credential that holds a token of its own. */
const signedIn = (changes: object = {}) => {
	const settings = { ...whole, ...changes };
	const { key } = accountOf(settings);
	const token = { accessToken: 't', settings: key, obtainedAt: Date.now() };
	return { ...settings, accessToken: packToken(token) };
};
const { authenticate } = new AgencyRecordsApi();
const sign = async (url: string, credentials: object) =>
	await (authenticate as Extract<typeof authenticate, (...args: never[]) => unknown>)(
		{ ...credentials },
		{ url, headers: { 'X-Own': '1' } },
	);
const url = 'https://a.example/api/things';

test.each([
	['bearer', 'Bearer t'],
	['token', 't'],
	[undefined, 't'],
])('adds both headers (%s) and keeps the others', async (authorizationHeader, Authorization) => {
	const { headers } = await sign(url, signedIn({ authorizationHeader }));
	expect(headers).toEqual({ 'X-Own': '1', 'Ocp-Apim-Subscription-Key': 'k', Authorization });
});

test.each([
	'https://b.example/api',
	'http://a.example/api',
	'https://a.example:8443/api',
	'https://a.example.evil.example/vendors',
	'https://a.example@evil.example/vendors',
	'https://a.exampl/e/vendors',
])('nothing is sent to %s', async (other) => {
	const host = signedIn({ baseUrl: 'https://a.example' });
	await expect(sign('https://a.example/vendors', host)).resolves.toBeDefined();
	for (const credentials of [host, signedIn()])
		await expect(sign(other, credentials)).rejects.toThrow(
			/only sent to the host of its 'Base URL'/,
		);
});
