// Checks the network delay: sends requests with Node.js alone, each on a new connection over TLS.
import { once } from 'node:events';
import { request } from 'node:https';

/** Connecting, the handshake of TLS 1.3 and the request take one round trip each. */
const expected = 3;

const requests = 10;

async function requestMilliseconds(url: string, ca: string): Promise<number> {
	const started = performance.now();
	const sent = request(`${url}/agencyshiftschedules/shiftschedules`, {
		method: 'POST',
		agent: false,
		ca,
		headers: { 'content-length': 2 },
	}).end('{}');
	const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
	await once(answer.resume(), 'end');
	return performance.now() - started;
}

/**
 * @param roundTrip the round trip that the relay should add, in milliseconds
 * @param ca the service's certificate (PEM)
 * @returns how many round trips the fastest of the requests took
 * @throws Error when that is less than three, or more than three and a half
 */
export async function measureRoundTrips(
	url: string,
	roundTrip: number,
	ca: string,
): Promise<number> {
	const taken: number[] = [];
	for (let n = 0; n < requests; n++) taken.push(await requestMilliseconds(url, ca));
	const roundTrips = Math.min(...taken) / roundTrip;
	if (roundTrips < expected || roundTrips > expected + 0.5) {
		throw new Error(
			`A request over a round trip of ${roundTrip} ms took ${roundTrips.toFixed(2)} of them instead of ${expected}`,
		);
	}
	return roundTrips;
}
