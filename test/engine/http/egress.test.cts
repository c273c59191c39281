// The nodes' messages if n8n's own protection against requests to internal addresses blocks the service.
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { testCredential } from '../../harness/testCredential.cts';
import { continueOnFail } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();

// n8n is loaded outside jest.
declare const native: (module: string) => unknown;
const { Container } = native('@n8n/di') as {
	Container: { get(type: unknown): { enabled: boolean } };
};
const { SsrfProtectionConfig } = native('@n8n/config') as { SsrfProtectionConfig: unknown };
const protection = Container.get(SsrfProtectionConfig);
afterEach(() => void (protection.enabled = false));

const blocked = /blocked because it resolves to a restricted IP address/;

const moments = ['at the first sign-in', 'with the token of an earlier run'];
test.each(moments)('n8n blocks the address: nothing is sent, %s', async (when) => {
	const store = sandbox.credentials({ grantType: 'password' });
	const create = () =>
		createSchedules(store, { items: namedRows(1), nodeSettings: continueOnFail });
	if (when.includes('earlier')) expect((await create()).json[0]).not.toHaveProperty('error');
	sandbox.exchanges.length = 0;
	protection.enabled = true;
	expect((await create()).json[0]).toMatchObject({
		message: expect.stringMatching(blocked),
		error: { code: 'noConnection', outcome: 'notSent', retryable: false },
	});
	const { error } = await testCredential(store);
	expect(error?.message).toMatch(/ask your n8n administrator/i);
	expect(sandbox.exchanges).toEqual([]);
});
