// The computer's clock is set while a node runs, or differs from the service's: waits and requests stay as they were.
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { runNode } from '../harness/run';
import { startFakeService } from '../harness/server';
import { credentialsFor } from '../harness/useSandbox';

const realNow = Date.now;
const setClock = (change: number) => {
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + change);
};
afterEach(() => jest.restoreAllMocks());

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

/** Answers when this many milliseconds have passed. */
const after =
	(milliseconds: number): Answer =>
	(_, response) => {
		setTimeout(() => response.end(shift), milliseconds);
	};
const never: Answer = () => {};

/** Asks once to wait; gives the milliseconds until the next request. */
async function waitAfter(headers: () => Record<string, string>) {
	const arrivals: number[] = [];
	const message = await get((_, response) => {
		arrivals.push(performance.now());
		if (arrivals.length > 1) return response.end(shift);
		response.writeHead(503, headers()).end();
	});
	expect(message).toBeUndefined();
	return arrivals[1]! - arrivals[0]!;
}

// A timer may be a millisecond early.
const almostASecond = 990;

test.each([3_600_000, -3_600_000])('the clock is set by %d ms', async (change) => {
	const running = Promise.all([
		get(after(1200), { timeout: 10 }),
		get(never, { timeout: 1, maxTries: 1 }),
		waitAfter(() => {
			// While all three wait.
			setTimeout(setClock, 300, change);
			return { 'retry-after': '1' };
		}),
	]);
	const [answered, unanswered, waited] = await running;
	expect(answered).toBeUndefined();
	expect(unanswered).toMatch(/no answer came in time/);
	expect(waited).toBeGreaterThanOrEqual(almostASecond);
});

test.each([3_600_000, -3_600_000])(
	"a date to wait for is one of the service's clock, %d ms off",
	async (off) => {
		// Whole seconds, as dates of HTTP are.
		const now = new Date(Math.floor((realNow() + off) / 1000) * 1000);
		const headers = {
			date: now.toUTCString(),
			'retry-after': new Date(now.getTime() + 1000).toUTCString(),
		};
		expect(await waitAfter(() => headers)).toBeGreaterThanOrEqual(almostASecond);
	},
);
