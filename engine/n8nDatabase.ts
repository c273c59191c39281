// Calls to n8n's database: with a time limit, with retries, and one after another within this process.
import { Failure } from './failure';
import { withDeadline } from './http/deadline';
import { wait } from './n8n';

/** Milliseconds before each retry of a failed call: a database takes seconds to restart. Tests shorten them. */
export const retryDelays = [100, 300, 900, 2700];

/** Never aborted: for calls that must be made even if the execution was cancelled. */
export const neverAborted = new AbortController().signal;

/** Milliseconds a call may take. All calls under one lock begin within that time. */
export const maxCallTime = 15_000;

/** @throws Error if the call has not ended in time; it may still end later */
export function withinCallTime<Value>(call: Promise<Value>): Promise<Value> {
	const fail = () => {
		throw new Error(`n8n's database did not respond within ${maxCallTime / 1000} seconds`);
	};
	return withDeadline({ timeout: maxCallTime }, () => call, fail);
}

/**
 * Error codes that prove that a database did nothing. SQLite: busy, locked, full. PostgreSQL: a transaction that was
 * rolled back (40), lacked resources (53) or got no lock (55), or a cancelled statement (57014). ECONNREFUSED:
 * there was no connection. No other error proves it.
 */
const refusalCodes = /^(SQLITE_(BUSY|LOCKED|FULL)|(40|53|55)\w{3}|57014|ECONNREFUSED)$/;

/** Whether an error proves that n8n's database did nothing. */
export const isRefusal = ({ code }: Error & { code?: unknown }) => refusalCodes.test(String(code));

/**
 * Repeats a failed call for as long as a database takes to restart.
 * @param mayRetry whether the call may be repeated after an error
 * @throws the error of the last call; a Failure is never retried by default, since it would come again
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

/** The latest call for each workflow; they are few enough to be kept after they end. */
const latestCalls = new Map<string, Promise<void>>();

/** Makes a call once the earlier calls for the same workflow have ended. */
export function serialize(workflow: string, call: () => Promise<void>): Promise<void> {
	const before = latestCalls.get(workflow)?.catch(() => {});
	const turn = Promise.resolve(before).then(call);
	latestCalls.set(workflow, turn);
	return turn;
}
