// Times without an offset are read in the workflow's time zone, whatever ran before in the same process.
import { getGlobalState, setGlobalState } from 'n8n-workflow';

import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { continueOnFail, errorOf } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();
beforeAll(useProductionExpressions);
afterAll(useDefaultExpressions);

/** @param name an expression sets the time zone of the process */
const plan = (timezone: string, name = 'A') =>
	createSchedules(sandbox.credentials(), {
		parameters: {
			fields: { name, fromDate: '2026-12-01T07:00:00', toDate: '2026-12-02T07:00:00Z' },
			options: { include: 'sentFields' },
		},
		settings: { timezone },
		nodeSettings: continueOnFail,
	});

test('"DEFAULT" means n8n\'s own time zone', async () => {
	const { json, hints } = await plan('Asia/Tokyo', '={{ $now.zoneName }}');
	expect(json).toMatchObject([{ name: 'Asia/Tokyo', fromDate: '2026-12-01T07:00:00+09:00' }]);
	expect(hints.join()).toContain('Asia/Tokyo');
	const then = await plan('DEFAULT');
	expect(then.json).toMatchObject([{ fromDate: '2026-12-01T07:00:00-05:00' }]);
	expect(then.hints.join()).toContain('America/New_York');
});

const wrong = ['Pacific', 'Mars/Olympus', '+25:00'];
test.each(wrong)('%s is no time zone: the message says where to set one', async (timezone) => {
	const own = getGlobalState();
	setGlobalState({ defaultTimezone: timezone });
	try {
		const { json } = await plan('DEFAULT');
		expect(json[0]!.message).toContain(`no time zone "${timezone}": set 'Timezone'`);
		expect(errorOf(json[0])).toMatchObject({ outcome: 'notSent', code: 'invalidValues' });
		expect(sandbox.exchanges).toEqual([]);
	} finally {
		setGlobalState(own);
	}
});
