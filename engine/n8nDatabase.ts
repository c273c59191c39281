// Calls that n8n's database has to answer: within a time limit, with retries, and one after another in
// this process.
import { Failure } from './failure';
import { withDeadline } from './http/deadline';
import { wait } from './n8n';

/** Milliseconds before each retry of a failed call: a database that restarts takes seconds. Tests shorten them. */
export const retryDelays = [100, 300, 900, 2700];

/** Never aborted: for calls that are to be made even if the execution was cancelled. */
export const neverAborted = new AbortController().signal;

/** Milliseconds that a call may take. All calls under one lock begin within that time. */
export const maxCallTime = 15_000;

/** @throws Error when the call has not ended in time; it may still end later */
export const withinCallTime = <Value>(call: Promise<Value>): Promise<Value> =>
	withDeadline(
		{ timeout: maxCallTime },
		() => call,
		() => {
			throw new Error(`n8n's database did not respond within ${maxCallTime / 1000} seconds`);
		},
	);

/**
 * Codes by which a database says that it has not done what it was asked: those of SQLite; those of PostgreSQL for a
 * transaction that was rolled back, for want of resources, for a lock and for a statement that was cancelled; and that
 * nothing was connected. Of all other errors it is not known.
 */
const refusalCodes = /^(SQLITE_(BUSY|LOCKED|FULL)|(40|53|55)\w{3}|57014|ECONNREFUSED)$/;

/** Whether an error proves that n8n's database has done nothing. */
export const isRefusal = (error: Error): boolean =>
	'code' in error && refusalCodes.test(String(error.code));

/**
 * Makes a call again when it fails, for as long as a restart of the database takes.
 * @param mayRetry whether the call may be made again after an error
 * @throws what the last call throws; a Failure at once, since it would come again
 */
export function withRetries<Value>(
	call: () => Promise<Value>,
	stop: AbortSignal,
	mayRetry = (error: Error) => !(error instanceof Failure),
	[delay, ...laterDelays] = retryDelays,
): Promise<Value> {
	return call().catch(async (error: Error) => {
		if (delay === undefined || stop.aborted || !mayRetry(error)) throw error;
		await wait(delay, stop);
		return await withRetries(call, stop, mayRetry, laterDelays);
	});
}

/** The latest call for each workflow; few enough to be kept after it has ended. */
const latestCalls = new Map<string, Promise<void>>();

/** Makes a call when those before it, for the same workflow, have ended. */
export function serialize(workflow: string, call: () => Promise<void>): Promise<void> {
	const before = latestCalls.get(workflow)?.catch(() => {});
	const turn = Promise.resolve(before).then(call);
	latestCalls.set(workflow, turn);
	return turn;
}
