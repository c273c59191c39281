// What differs between the versions of n8n that the nodes run in, and why; all else is alike in them.
import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

// Without it every node would fail to load, each with a TypeError that says nothing to its reader.
if (!('NodeConnectionTypes' in n8n)) {
	throw new Error('n8n-nodes-agency-records needs n8n 1.85 or newer: update n8n, then restart it');
}

/** What n8n's HTTP client threw, as far as n8n tells. */
interface ThrownByClient {
	code?: string;
	message?: string;
	/** The client's request: it shows whether anything was sent. */
	request?: object;
}

/**
 * What n8n's HTTP client threw, taken out of what n8n's request helper throws. n8n 1.121 to 2.33 lose the error
 * itself, and with it the request; its code and message they keep.
 */
export function transportErrorOf(error: unknown): ThrownByClient {
	const { cause, httpCode, messages } = error as Partial<n8n.NodeApiError>;
	return cause ?? { code: httpCode ?? undefined, message: messages?.[0] };
}

/** What n8n gives a node: to run, or to poll. */
export type NodeContext = IExecuteFunctions | IPollFunctions;

/** What ends an execution when it is cancelled; a poll cannot be. */
export const cancelSignalOf = (ctx: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in ctx ? ctx.getExecutionCancelSignal() : undefined;

/** Shows a text beside the node's output. n8n 1.85 has no place for it where a node serves an AI agent. */
export function showHint(ctx: IExecuteFunctions, message: string): void {
	ctx.addExecutionHints?.({ message, location: 'outputPane' });
}

/**
 * Waits for work, but not longer than until `stop`.
 * @returns undefined when it was stopped before; what the work gives then is lost
 */
export async function unlessStopped<Value>(
	work: Promise<Value>,
	stop: AbortSignal,
): Promise<Value | undefined> {
	if (stop.aborted) return undefined;
	let stopped!: () => void;
	const stopping = new Promise<undefined>((resolve) => {
		stopped = () => resolve(undefined);
		stop.addEventListener('abort', stopped);
	});
	try {
		return await Promise.race([work, stopping]);
	} finally {
		stop.removeEventListener('abort', stopped);
	}
}

/**
 * Waits, but not longer than until `stop`. Raced against it, since n8n's own sleep() takes no signal before
 * n8n-workflow 2.34.
 * @param milliseconds 0 or more
 */
export async function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
	if (stop.aborted) return;
	await unlessStopped(
		n8n.sleep(milliseconds, stop).catch(() => {}),
		stop,
	);
}
