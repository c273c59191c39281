// The computer's clock is set while a node runs, or differs from the service's: waits and requests stay as they were.
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { comeToRest } from '../../harness/turns';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();

const realNow = Date.now;
const setClock = (change: number) => {
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + change);
};

type Answer = Parameters<typeof startFakeService>[0];

async function get(answer: Answer, options: { timeout?: number; maxTries?: number } = {}) {
	const service = await startFakeService(answer);
	const { error } = await runNode({
		node: new AgencyShifts(),
		parameters: { shiftID: 1, options },
		credentials: credentialsFor(service.url),
	});
	await service.close();
	return error?.message;
}

const shift = '{"shift":{"shift":"A"}}';

/** A request that waits for its answer. */
function heldRequest(options: { timeout: number; maxTries?: number }) {
	let result!: ReturnType<typeof get>;
	const arrived = new Promise<() => void>((resolve) => {
		result = get((_, response) => resolve(() => response.end(shift)), options);
	});
	return { arrived, result };
}

/** A request that the service asks once to wait. */
function postponedRequest(headers: Record<string, string>) {
	let tries = 0;
	const pauses = time.pauseBegins();
	const result = get((_, response) => {
		if (++tries > 1) return response.end(shift);
		response.writeHead(503, headers).end();
	});
	return { tries: () => tries, pauses, result };
}

test.each([3_600_000, -3_600_000])('the clock is set by %d ms', async (change) => {
	const answered = heldRequest({ timeout: 10 });
	const unanswered = heldRequest({ timeout: 1, maxTries: 1 });
	const postponed = postponedRequest({ 'retry-after': '1' });
	// While all three wait.
	const [answer] = await Promise.all([answered.arrived, unanswered.arrived, postponed.pauses]);
	setClock(change);
	time.pass(500);
	await comeToRest();
	expect(postponed.tries()).toBe(1);
	time.pass(501);
	// By the clock its token may have expired, so that it waits for a new one, too.
	time.skipPauses();
	expect(await unanswered.result).toMatch(/no answer came within/);
	expect(await postponed.result).toBeUndefined();
	expect(postponed.tries()).toBe(2);
	answer();
	expect(await answered.result).toBeUndefined();
});

test.each([3_600_000, -3_600_000])(
	"a date to wait for is one of the service's clock, %d ms off",
	async (off) => {
		// Whole seconds, as dates of HTTP are.
		const now = new Date(Math.floor((realNow() + off) / 1000) * 1000);
		const postponed = postponedRequest({
			date: now.toUTCString(),
			'retry-after': new Date(now.getTime() + 1000).toUTCString(),
		});
		const wait = await postponed.pauses;
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(1000);
		expect(postponed.tries()).toBe(1);
		time.pass(wait);
		expect(await postponed.result).toBeUndefined();
		expect(postponed.tries()).toBe(2);
	},
);
