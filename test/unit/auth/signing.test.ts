// A request is signed by the credential, as n8n asks it to.
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { fingerprint, settingsOf } from '../../../engine/auth/accountSettings';
import { packToken } from '../../../engine/auth/token';

describe('signing a request', () => {
	const settings = { baseUrl: 'https://a.example/api', apiKey: 'k', authorizationHeader: 'bearer' };
	const accessToken = packToken({
		accessToken: 't',
		settings: fingerprint(settingsOf(settings)),
		obtainedAt: Date.now(),
	});
	const { authenticate } = new AgencyRecordsApi();
	const sign = async (url: string, credentials: object = { ...settings, accessToken }) =>
		await (authenticate as Extract<typeof authenticate, (...args: never[]) => unknown>)(
			{ ...credentials },
			{ url, headers: { 'X-Own': '1' } },
		);

	test('adds both headers and keeps the others', async () => {
		expect((await sign('https://a.example/api/things')).headers).toEqual({
			'X-Own': '1',
			'Ocp-Apim-Subscription-Key': 'k',
			Authorization: 'Bearer t',
		});
	});

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
	test.each(Object.entries(whole))(
		'the token of a credential that was just used is not taken for one with another %s',
		async (name, value) => {
			const token = {
				accessToken: 't',
				settings: fingerprint(settingsOf(whole)),
				obtainedAt: Date.now(),
			};
			const credentials = { ...whole, accessToken: packToken(token) };
			const url = 'https://a.example/api/things';
			await expect(sign(url, credentials)).resolves.toBeDefined();
			await expect(sign(url, { ...credentials, [name]: `${value}x` })).rejects.toMatchObject({
				response: { status: 401 },
			});
			await expect(sign(url, credentials)).resolves.toBeDefined();
		},
	);

	test.each(['https://b.example/api', 'http://a.example/api', 'https://a.example:8443/api'])(
		'nothing is sent to %s',
		async (url) => {
			await expect(sign(url)).rejects.toThrow(/only sent to the host of its 'Base URL'/);
		},
	);

	test.each([
		'https://a.example.evil.example/vendors',
		'https://a.example@evil.example/vendors',
		'https://a.example:8443/vendors',
		'https://a.exampl/e/vendors',
	])('a host that only begins like it gets nothing: %s', async (url) => {
		const host = { ...settings, baseUrl: 'https://a.example' };
		const token = {
			accessToken: 't',
			settings: fingerprint(settingsOf(host)),
			obtainedAt: Date.now(),
		};
		const credentials = { ...host, accessToken: packToken(token) };
		await expect(sign('https://a.example/vendors', credentials)).resolves.toBeDefined();
		await expect(sign(url, credentials)).rejects.toThrow(/only sent to the host/);
	});

	test('without a usable token it looks like a 401, so that n8n signs in', async () => {
		for (const stored of ['', packToken({ accessToken: 't', settings: 'other', obtainedAt: 0 })]) {
			await expect(
				sign('https://a.example/api', { ...settings, accessToken: stored }),
			).rejects.toMatchObject({ response: { status: 401 } });
		}
	});
});
