// Whether the distance is what it says: one request by Node.js alone, on a new connection over TLS.
import { once } from 'node:events';
import { request } from 'node:https';

/** Connecting, TLS 1.3 and the request take one each. */
const expected = 3;

const tries = 10;

async function milliseconds(url: string, ca: string): Promise<number> {
	const started = performance.now();
	const asked = request(`${url}/agencyshiftschedules/shiftschedules`, {
		method: 'POST',
		agent: false,
		ca,
		headers: { 'content-length': 2 },
	}).end('{}');
	const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
	await once(answer.resume(), 'end');
	return performance.now() - started;
}

/**
 * @param roundTrip milliseconds
 * @param ca the service's certificate (PEM)
 * @returns round trips that the quickest of a few requests took
 * @throws Error when that is less than three, or more than three and a half
 */
export async function roundTripsOf(url: string, roundTrip: number, ca: string): Promise<number> {
	const taken: number[] = [];
	for (let n = 0; n < tries; n++) taken.push(await milliseconds(url, ca));
	const roundTrips = Math.min(...taken) / roundTrip;
	if (roundTrips < expected || roundTrips > expected + 0.5) {
		throw new Error(
			`A request over a round trip of ${roundTrip} ms took ${roundTrips.toFixed(2)} of them instead of ${expected}`,
		);
	}
	return roundTrips;
}
