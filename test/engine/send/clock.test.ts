// The computer's clock differs from the service's: a date to wait for is one of the service's clock.
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();

test.each([3_600_000, -3_600_000])(
	'the service asks to wait by a clock that is %d ms off',
	async (off) => {
		// Whole seconds, as dates of HTTP are.
		const now = new Date(Math.floor((Date.now() + off) / 1000) * 1000);
		const headers = {
			date: now.toUTCString(),
			'retry-after': new Date(now.getTime() + 1000).toUTCString(),
		};
		let tries = 0;
		const service = await startFakeService((_, response) => {
			if (++tries > 1) return response.end('{"shift":{"shift":"A"}}');
			response.writeHead(503, headers).end();
		});
		const pauses = time.pauseBegins();
		const run = runNode({
			node: new AgencyShifts(),
			parameters: { shiftID: 1 },
			credentials: credentialsFor(service.url),
		});
		const wait = await pauses;
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(1000);
		expect(tries).toBe(1);
		time.pass(wait);
		expect((await run).error).toBeUndefined();
		expect(tries).toBe(2);
		await service.close();
	},
);
