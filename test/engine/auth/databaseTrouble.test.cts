// n8n's database fails when the credential is read or a token is stored, which is not the credential's fault.
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ each: 'test' });
const credentials = () => sandbox.credentials({ grantType: 'password' });
/** The message of PostgreSQL's driver when the database restarts. */
const fail = () => {
	throw new Error('Connection terminated unexpectedly');
};
const notRead = {
	message: expect.stringMatching(
		/^n8n could not read the credential from its database: Connection terminated unexpectedly/,
	),
	error: {
		code: 'n8nUnavailable',
		outcome: 'notSent',
		retryable: true,
		advice: 'Nothing was changed: run this item again later.',
	},
};
const signIns = () => sandbox.requests('passwordToken').length;

test('one failed read at the start of a run costs no row', async () => {
	const store = credentials();
	jest.spyOn(store, 'read').mockImplementationOnce(fail);
	expect((await readShifts(store, 3)).error).toBeUndefined();
});

test('if the database stays away at the start, no row is sent, and each is retryable', async () => {
	const store = credentials();
	jest.spyOn(store, 'read').mockImplementation(fail);
	const { json } = await readShifts(store, 3, { nodeSettings: continueOnFail });
	expect(json).toMatchObject([notRead, notRead, notRead]);
	expect(sandbox.exchanges).toEqual([]);
});

describe('while a token is renewed in the middle of a run', () => {
	/** The third row's token has expired; from then on, n8n's database fails this many times. */
	const tenRows = async (failures: number) => {
		const store = credentials();
		await sandbox.restart({
			onExchange({ operation }) {
				const isThird = sandbox.requests('getShift').length === 3;
				if (operation !== 'getShift' || !isThird) return;
				sandbox.accounts.revokeTokens();
				const read = jest.spyOn(store, 'read');
				for (let each = 0; each < failures; each++) read.mockImplementationOnce(fail);
			},
		});
		const options = { parallelRequests: 1, maxTries: 2 };
		return (await readShifts(store, 10, { options, nodeSettings: continueOnFail })).json;
	};

	test.each([1, 4, 7])('%d failed reads cost no row', async (failures) => {
		const json = await tenRows(failures);
		expect(json.filter(({ error }) => error)).toEqual([]);
		expect(signIns()).toBe(2);
	});

	test('if the database stays away, the other rows are not sent, and each is retryable', async () => {
		const json = await tenRows(1000);
		expect(json.filter(({ error }) => !error)).toHaveLength(3);
		expect(json.slice(3)).toMatchObject(json.slice(3).map(() => notRead));
		expect(signIns()).toBe(1);
	});
});

test('a token that cannot be stored still serves its run', async () => {
	const store = credentials();
	jest.spyOn(store.rows, 'set').mockImplementation(fail);
	expect((await readShifts(store, 2)).error).toBeUndefined();
	expect(signIns()).toBe(1);
});

test('a credential that does not exist is read once and reported as such, not as a database failure', async () => {
	const store = credentials();
	store.rows.clear();
	const read = jest.spyOn(store, 'read');
	const { json } = await readShifts(store, 2, { nodeSettings: continueOnFail });
	expect(read).toHaveBeenCalledTimes(1);
	const missing = {
		message: expect.stringMatching(/^There is no credential with the ID/),
		error: { code: 'credentialUnusable', outcome: 'notSent', retryable: false },
	};
	expect(json).toMatchObject([missing, missing]);
});
