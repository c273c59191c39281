// Dates as spreadsheets write them: the expression that the refusal offers reads them in n8n's own engine.
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { runNode } from '../../harness/run';
import { useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();
const { exchanges } = sandbox;

describe.each([
	['the default', useDefaultExpressions],
	['the production', useProductionExpressions],
])('dates of spreadsheets, in %s engine of expressions', (_, use) => {
	beforeAll(use);
	afterAll(useDefaultExpressions);

	const create = (toDate: string, from: string, zone: string) =>
		runNode({
			node: new AgencyShiftSchedules(),
			credentials: sandbox.credentials(),
			parameters: { fields: { toDate } },
			items: [{ toDate: from }],
			settings: { timezone: zone },
		});

	test.each([
		['11/27/2026 7:00 AM', 'America/New_York', '2026-11-27T07:00:00-05:00'],
		['7/4/2026 1:05:09 pm', 'America/Chicago', '2026-07-04T13:05:09-05:00'],
		['11/27/2026', 'America/New_York', '2026-11-27T00:00:00-05:00'],
		['11/27/26 19:30', 'Asia/Tokyo', '2026-11-27T19:30:00+09:00'],
		['27/11/2026 7:00', 'Europe/London', '2026-11-27T07:00:00+00:00'],
		['27.11.2026, 07:00', 'Europe/Berlin', '2026-11-27T07:00:00+01:00'],
	])('%s in %s', async (text, zone, expected) => {
		const { error } = await create('={{ $json.toDate }}', text, zone);
		const offered = /(\{\{ .* \}\})/.exec(error!.message)![1]!;
		expect(exchanges).toEqual([]);
		const { error: none } = await create(`=${offered}`, text, zone);
		expect(none).toBeUndefined();
		const { body } = exchanges.find(({ operation }) => operation === 'createShiftSchedule')!;
		const { toDate } = body as { toDate: string };
		expect(new Date(toDate).toISOString()).toBe(new Date(expected).toISOString());
	});
});
