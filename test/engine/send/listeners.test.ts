// Node.js 20 takes more than ten listeners of one signal for a leak, and warns of it in n8n's log.
import { getEventListeners } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { startFakeService } from '../../harness/server';
import { runNode } from '../../harness/run';
import { credentialsFor } from '../../harness/useSandbox';

afterEach(() => jest.restoreAllMocks());

test('no signal has more than ten listeners, however many requests are under way', async () => {
	let mostListeners = 0;
	const listen = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'addEventListener')!;
	jest.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (
		this: EventTarget,
		...given
	) {
		(listen.value as EventTarget['addEventListener']).apply(this, given);
		mostListeners = Math.max(mostListeners, getEventListeners(this, given[0]).length);
	});
	let underWay = 0;
	let mostUnderWay = 0;
	const service = await startFakeService((_, response) => {
		mostUnderWay = Math.max(mostUnderWay, ++underWay);
		void pass(20).then(() => {
			underWay--;
			response.writeHead(201).end('{"shiftScheduleID":1}');
		});
	});
	await runNode({
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: 'A' } },
		items: Array.from({ length: 200 }, () => ({})),
		credentials: credentialsFor(service.url),
		cancel: new AbortController().signal,
	});
	await service.close();
	expect(mostUnderWay).toBeGreaterThan(10);
	expect(mostListeners).toBeGreaterThan(0);
	expect(mostListeners).toBeLessThanOrEqual(10);
});
