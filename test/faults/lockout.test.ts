// Signing in never locks an account: what was refused is not tried again and again.
import type { ICredentialDataDecryptedObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { users } from '../../sandbox/accounts.mts';
import { readShifts } from '../harness/readShifts';
import { testCredential } from '../harness/testCredential';
import { useSandbox } from '../harness/useSandbox';
import { useVirtualTime } from '../harness/virtualTime';

const { username } = users[0]!;
const time = useVirtualTime({ skipsPauses: true });

const sandbox = useSandbox({ each: 'test', lockAfter: 3 });

const credentials = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'password', ...changes });
const refusedSignIns = () => sandbox.accounts.refusedSignIns(username);

/** Reads so many shifts, with the node as it is on the canvas. */
const read = (
	store: CredentialStore,
	count: number,
	nodeSettings: Partial<INode> = {},
	more = {},
) =>
	readShifts(store, count, { parameters: { shiftID: '={{ $json.id }}' }, nodeSettings, ...more });

/** n8n takes a wait of 0 for a second. */
const retry: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const settings: Array<[string, Partial<INode>]> = [
	['Stop', {}],
	['Continue', { onError: 'continueRegularOutput' }],
	['Stop, with Retry On Fail', retry],
];

test.each(settings)(
	'ten runs in a row with a wrong password try it once: On Error is %s',
	async (_, nodeSettings) => {
		const store = credentials({ password: 'not-the-password' });
		for (let run = 0; run < 10; run++) {
			const { error, json } = await read(store, 20, nodeSettings);
			expect(error?.message ?? json[0]?.message).toMatch(/username or the password is wrong/);
		}
		const refused = refusedSignIns();
		expect(refused).toBe(1);
	},
);

test('what was refused is not tried again in a run, however long it takes; in another after a minute', async () => {
	const store = credentials({ password: 'not-the-password' });
	const node = new AgencyShifts();
	let tries = 0;
	const slowNode = {
		...node,
		async execute(this: IExecuteFunctions) {
			// More than a minute after the last try was refused.
			if (++tries > 1) time.pass(61_000);
			return await node.execute.call(this);
		},
	};
	const { error } = await read(store, 5, retry, { node: slowNode });
	expect(error?.message).toMatch(/username or the password is wrong/);
	expect([tries, refusedSignIns()]).toEqual([3, 1]);
	await read(store, 5);
	expect(refusedSignIns()).toBe(2);
});

test("the credential's Test always tries, and finds a password that was mended at the service", async () => {
	const store = credentials({ password: 'not-yet-the-password' });
	await read(store, 1);
	const { error } = await testCredential(store);
	expect(error?.message).toMatch(/username or the password is wrong/);
	expect(refusedSignIns()).toBeGreaterThanOrEqual(2);
	sandbox.accounts.changePassword(username, 'not-yet-the-password');
	expect((await testCredential(store)).error).toBeUndefined();
	expect((await read(store, 1)).error).toBeUndefined();
});
