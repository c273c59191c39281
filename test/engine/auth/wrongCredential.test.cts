// The credential's fields that a token depends on: each wrong one is refused and named.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readShifts } from '../../harness/readShifts.cts';
import type { RunResult } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();
const credentials = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'password', ...changes });
const publicClient = { clientId: 'public-app', clientSecret: '' };
const otherRedirectUri = { grantType: 'password', redirectUri: 'https://other.example/' };
// All fields that a token depends on, each with a value that is wrong next to the others.
describe.each<[string, string, RegExp, ICredentialDataDecryptedObject?]>([
	['baseUrl', 'http://127.0.0.1:9', /^Signing in at \S+:9 failed: nothing is listening there/],
	['apiKey', 'not-the-key', /refused the subscription key/],
	['grantType', 'authorizationCode', /not the one registered/, otherRedirectUri],
	['clientId', 'nobody', /The client ID is not known/],
	['clientSecret', 'not-the-secret', /secret is wrong/],
	['username', 'nobody', /is wrong/],
	['password', 'not-the-password', /is wrong/],
	['redirectUri', 'https://other.example/', /not the one registered/],
])('a wrong %s (%s)', (field, value, message, others) => {
	const right = () => sandbox.credentials(others);
	const wrong = () => sandbox.credentials({ ...others, [field]: value });
	const expectRefused = ({ error }: RunResult) => {
		// And not: a request that was sent and refused.
		expect(error?.message).toMatch(/^(Sign-in was refused|Signing in at)/);
		expect(error?.message).toMatch(message);
	};
	/** Whatever response they got. */
	const sent = () => sandbox.requests('getShift').length;

	test('gets no earlier token, not even the one stored with it', async () => {
		const store = right();
		expect((await readShifts(store, 1)).error).toBeUndefined();
		store.rows.set('account', { ...store.read('account'), [field]: value });
		expectRefused(await readShifts(store, 1));
		expectRefused(await readShifts(wrong(), 1));
		expect(sent()).toBe(1);
	});

	test('shares no sign-in that is in progress', async () => {
		const [refused, good] = await Promise.all([readShifts(wrong(), 5), readShifts(right(), 5)]);
		expectRefused(refused);
		expect(good.error).toBeUndefined();
		expect(sent()).toBe(5);
	});
});

test.each([
	['baseUrl', 'geheim', /^'Base URL' in the credential must be an address/],
	['grantType', 'geheim', /^'Grant Type' in the credential must be authorizationCode or/],
	['clientSecret', 'geh\u200beim', /^'Client Secret' in the credential contains/],
	['tokenUrl', 'http://login.example/token', /'Token URL' .*begins with https:/],
	['tokenUrl', 'https://user:geheim@login.example/token', /'Token URL' .*without a user name/],
	['tokenUrl', '', /'Token URL'/],
	['additionalParameters', '{"username":"geheim"}', /'Additional Parameters' .* must be one JSON/],
	['additionalParameters', '{"Grant.Type":"geheim"}', /'Additional Parameters'/],
	['additionalParameters', '{"username[]":"geheim"}', /'Additional Parameters'/],
	['additionalParameters', '{"scope":"geheim"}', /'Additional Parameters'/],
	['additionalParameters', '{"a":{"b":"geheim"}}', /'Additional Parameters'/],
	['additionalParameters', '{"a":null}', /'Additional Parameters'/],
	['additionalParameters', '{"a":12345678901234567890}', /'Additional Parameters'/],
	['additionalParameters', '["geheim"]', /'Additional Parameters'/],
	['additionalParameters', 'a=geheim', /'Additional Parameters'/],
])('%s must not be %j, which is reported before anything is sent', async (name, value, message) => {
	const provider = { grantType: 'identityProvider', tokenUrl: 'https://login.example/token' };
	const { error, saved } = await readShifts(credentials({ ...provider, [name]: value }), 2);
	expect(error?.message).toMatch(message);
	expect(`${error?.message}${saved}`).not.toMatch(/geh.?eim/);
	expect(sandbox.exchanges).toEqual([]);
});

const none = ['', ' ', 'undefined', 'null', '[object Object]', '{{ $json.secret }}', null];
test.each(none)('all fields with the value %j are named before anything is sent', async (value) => {
	const names = ['apiKey', 'clientId', 'clientSecret', 'username', 'password'];
	const changes = Object.fromEntries(names.map((name) => [name, value as string]));
	const { error } = await readShifts(credentials(changes), 2);
	const labels = ['Subscription Key', 'Client ID', 'Client Secret', 'Username', 'Password'];
	for (const label of labels)
		expect(error?.message).toMatch(
			new RegExp(`'${label}' in the credential is .*: give it a value`),
		);
	expect(error?.message).not.toMatch(/mistyped|expired|Base URL/);
	expect(sandbox.exchanges).toEqual([]);
});

test('a client secret may be empty where it is not needed', async () => {
	const store = sandbox.credentials({ ...publicClient, grantType: 'authorizationCode' });
	expect((await readShifts(store, 1)).error).toBeUndefined();
});
