// The check finds out each way in which a service may have decided what its description leaves open, alone and mixed;
// and nodes that are set as it says work.
import { AgencyRecordsCheck } from '../../../nodes/AgencyRecordsCheck/AgencyRecordsCheck.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import {
	defaultDialects,
	dialectNames,
	waysOf,
	type Dialects,
} from '../../../sandbox/dialects.mts';
import { randomDialects } from '../../harness/randomDialects.cts';
import { runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { verdictsOf, type Verdict } from './expectedFindings.cts';
import { applyFindings } from './applyFindings.cts';

const sandbox = useSandbox();
useVirtualTime({ skipsPauses: true });

const tally = { right: 0, 'could not tell': 0, wrong: 0 };
afterAll(() => console.log('Answers of the check:', JSON.stringify(tally)));

async function check(
	dialects: Dialects,
): Promise<{ verdicts: Verdict[]; items: Verdict['item'][] }> {
	Object.assign(sandbox.dialects, dialects);
	sandbox.accounts.revokeTokens();
	const { json, error } = await runNode({
		node: new AgencyRecordsCheck(),
		parameters: {},
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	const verdicts = verdictsOf(json, dialects);
	for (const { verdict } of verdicts) tally[verdict]++;
	return { verdicts, items: json };
}

/** Reads the vendors with a ZIP code beyond some number, archived ones too, that have changed since long ago. */
async function readVendors(items: Verdict['item'][]) {
	const { json, error } = await runNode({
		node: new AgencyVendors(),
		parameters: {
			resource: 'vendor',
			operation: 'getMany',
			returnAll: true,
			filters: {
				filter: 'zip gt 50000, category ne "Fuel"',
				showArchived: true,
				changesSince: '2001-02-03T04:05:06Z',
			},
		},
		credentials: sandbox.credentials(applyFindings(items)),
	});
	return { json, error };
}

/** The same vendors, as the sandbox has them. */
const expectedVendors = (): number[] =>
	sandbox.records
		.list('vendor', { showArchived: true })
		.rows.filter(({ data }) => Number(data.zip) > 50_000 && data.category !== 'Fuel')
		.map(({ id }) => id);

const alone = dialectNames.flatMap((name) =>
	waysOf(name).map(
		(way) => [`${name}=${way}`, { ...defaultDialects, [name]: way } as Dialects] as const,
	),
);
const seed = Number(process.env.SEED ?? 1);
const mixed = Array.from({ length: Number(process.env.MIXTURES ?? 40) }, (_, at) => {
	const dialects = randomDialects(seed + at, 0.4);
	return [`mixture ${seed + at}`, dialects] as const;
});

test.each([...alone, ...mixed])('%s', async (_, dialects) => {
	const { verdicts, items } = await check(dialects);
	expect(verdicts.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
	expect(verdicts.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThan(2);
	expect(sandbox.exchanges.length).toBeLessThanOrEqual(50);
	const { json, error } = await readVendors(items);
	expect(error).toBeUndefined();
	expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual(expectedVendors());
});
