// A plan of many faults at once, each of them rare.
import type { FaultRule } from './faults.mts';

/** Strikes 15 of 100 requests. */
export const mixedFaults: FaultRule[] = [
	{ fault: 'resetBefore', probability: 0.02 },
	{ fault: 'resetAfter', probability: 0.02 },
	{ fault: 'refuse', status: 429, retryAfter: 0, probability: 0.02 },
	{ fault: 'refuse', status: 503, retryAfter: 0, probability: 0.01 },
	{ fault: 'failAfter', status: 503, retryAfter: 0, probability: 0.01 },
	{ fault: 'refuse', status: 502, probability: 0.01 },
	{ fault: 'failAfter', status: 504, probability: 0.005 },
	{ fault: 'failAfter', status: 500, probability: 0.015 },
	{ fault: 'cutOff', probability: 0.015 },
	{ fault: 'refuse', status: 400, probability: 0.01 },
	{ fault: 'emptyResponse', probability: 0.005 },
	{ fault: 'webPage', probability: 0.005 },
	{ fault: 'expireToken', probability: 0.005 },
];
