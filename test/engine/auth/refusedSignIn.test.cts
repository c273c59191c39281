// A refused sign-in is stored with the credential: no process repeats it within an hour, so no account gets locked.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { users } from '../../../sandbox/accounts.mts';
import { anotherProcess } from '../../harness/anotherProcess.cts';
import { nodeWithOlderHelper } from '../../harness/olderHelper.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ each: 'test' });
const minute = 60_000;
/** How far the system clock is ahead. */
let ahead: number;
beforeEach(() => {
	ahead = 0;
	const { now } = Date;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});

const wrong = 'Sign-in was refused: The username or the password is wrong';
const wrongPassword = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'password', password: 'not-the-password', ...changes });
const signIns = () => sandbox.requests('passwordToken').length;
/** Runs a node in a new process. */
const runAnew = async (store: CredentialStore) => {
	const { run, node } = anotherProcess();
	return (await readShifts(store, 3, { node }, run)).error?.message;
};

test('six processes in turn try a wrong password once an hour, and each message says when the next try is', async () => {
	const store = wrongPassword();
	const messages: Array<string | undefined> = [];
	for (let each = 0; each < 6; each++, ahead += 11.8 * minute) messages.push(await runAnew(store));
	expect(messages).toEqual(Array(6).fill(expect.stringContaining(wrong)));
	expect(signIns()).toBe(1);
	expect(messages.slice(0, 2)).toEqual([
		expect.stringContaining('n8n tries again in 60 minutes, or'),
		expect.stringContaining('n8n tries again in 48 minutes, or'),
	]);
	expect(JSON.stringify(store.read('account').accessToken)).not.toContain('not-the-password');
	for (let each = 0; each < 2; each++) expect(await runAnew(store)).toContain(wrong);
	expect(signIns()).toBe(2);
});

test.each([
	[{ password: 'not-the-password' }, wrong],
	[{ apiKey: 'not-the-key' }, 'refused the subscription key'],
])('successive executions with %j do not wait', async (changes, message) => {
	const store = wrongPassword({ password: users[0]!.password, ...changes });
	const pauses: number[] = [];
	for (let each = 0; each < 9; each++) {
		void time.pauseBegins().then((milliseconds) => pauses.push(milliseconds));
		const { error } = await readShifts(store, 3);
		expect(error?.message).toContain(message);
	}
	expect(pauses).toEqual([]);
	expect(sandbox.exchanges).toHaveLength(1);
});

test('changed settings are tried at once', async () => {
	const store = wrongPassword();
	await runAnew(store);
	const { password } = users[0]!;
	store.rows.set('account', { ...store.read('account'), password });
	expect(await runAnew(store)).toBeUndefined();
	expect(signIns()).toBe(2);
});

test('the Test signs in at once, and its result counts for all processes', async () => {
	const store = wrongPassword();
	await runAnew(store);
	ahead += 30 * minute;
	const test = async () => (await anotherProcess().testCredential(store)).error?.message;
	expect(await test()).toContain(wrong);
	expect(signIns()).toBe(2);
	ahead += 40 * minute;
	expect(await runAnew(store)).toContain(wrong);
	expect(signIns()).toBe(2);
	sandbox.accounts.users[0]!.password = 'not-the-password';
	expect(await test()).toBeUndefined();
	expect(await runAnew(store)).toBeUndefined();
	expect(signIns()).toBe(3);
});

test('clocks of processes may differ, but a refusal dated far in the future is ignored', async () => {
	const store = wrongPassword();
	ahead = 5 * minute;
	await runAnew(store);
	ahead = 0;
	await runAnew(store);
	expect(signIns()).toBe(1);
	ahead = -24 * 60 * minute;
	await runAnew(store);
	expect(signIns()).toBe(2);
	await runAnew(store);
	expect(signIns()).toBe(2);
});

test('a node with the older request helper, such as HTTP Request, obeys a stored refusal, too', async () => {
	const node = nodeWithOlderHelper(sandbox.url);
	const store = wrongPassword();
	for (let each = 0; each < 3; each++) {
		const { error } = await anotherProcess().run({ node, parameters: {}, credentials: store });
		expect(error?.message).toContain(wrong);
		expect(error?.message).toContain('n8n tries again in');
	}
	expect(signIns()).toBe(1);
});
