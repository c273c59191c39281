// The code that an error item is branched on, where what failed is neither the item nor the service's answer to it.
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { runNode, type RunOptions } from '../../harness/run';
import { useSandbox } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();
const sandbox = useSandbox({ each: 'test' });

const failing = async (
	changes: ICredentialDataDecryptedObject,
	{ nodeSettings, ...more }: Partial<RunOptions> = {},
) => {
	const { json } = await runNode({
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: 'A' } },
		items: [{}, {}],
		credentials: sandbox.credentials(changes),
		nodeSettings: { onError: 'continueRegularOutput', ...nodeSettings },
		...more,
	});
	return json.map(({ error }) => (error as IDataObject).code);
};

test.each([
	['an address that is not allowed', { baseUrl: 'ftp://records.example' }],
	['a setting that the form does not offer', { setConventions: true, filterSyntax: 'rhymes' }],
])('a credential with %s cannot be used', async (_, changes) => {
	expect(await failing(changes)).toEqual(['credentialUnusable', 'credentialUnusable']);
	expect(sandbox.exchanges).toEqual([]);
});

test('a condition that cannot be written is a value that is not valid', async () => {
	const codes = await failing(
		{ setConventions: true, filterSyntax: 'colons' },
		{
			node: new AgencyVendors(),
			parameters: {
				filterBy: 'conditions',
				conditions: { entries: [{ field: 'city', operator: 'eq', value: 'a:b' }] },
			},
			items: [{}],
		},
	);
	expect(codes).toEqual(['invalidValues']);
});

test('a later try of a run whose sign-in was refused says so too', async () => {
	time.skipPauses();
	const nodeSettings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const codes = await failing({ password: 'wrong' }, { nodeSettings });
	expect(codes).toEqual(['signInRefused', 'signInRefused']);
});
