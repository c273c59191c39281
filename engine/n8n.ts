// The differences between the n8n versions that the nodes support, with their sources.
import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

// Without this check, each node would fail to load in an older n8n with a TypeError that does not say why:
// NodeConnectionTypes came with n8n 1.85 (https://github.com/n8n-io/n8n/pull/14078).
if (!('NodeConnectionTypes' in n8n)) {
	throw new Error('n8n-nodes-agency-records needs n8n 1.85 or newer: update n8n, then restart it');
}

/**
 * Extracts the HTTP client's error from the one that n8n's request helper throws. NodeApiError in n8n 1.121 to 2.33
 * loses its cause (explained in https://github.com/n8n-io/n8n/pull/34509), and keeps only its code and message. Without
 * the cause, nothing shows whether the request was sent.
 */
export function transportErrorOf(error: unknown): Error {
	const { cause, httpCode, messages } = error as Partial<n8n.NodeApiError>;
	return cause ?? Object.assign(new Error(messages?.[0]), { code: httpCode ?? undefined });
}

const keepsCause = new n8n.NodeApiError({} as n8n.INode, new Error() as never).cause !== undefined;

const errorStatuses = Array.from({ length: 200 }, (_, index) => 400 + index);
const except = errorStatuses.filter((status) => status !== 401);

/**
 * The statuses that n8n's request helper returns as responses. It throws the others, and such an error shows the
 * connection it came over, unless n8n loses the cause. A 401 is returned, since n8n would otherwise sign in on its own.
 * n8n before 2.11 takes this object for `true` (seen in n8n-core 2.8).
 */
export const statusesAsResponses = keepsCause ? { ignore: true as const, except } : true;

/** The context that n8n passes to a node to run or poll it. */
export type NodeContext = IExecuteFunctions | IPollFunctions;

/** Aborted when the execution is cancelled; undefined for a poll, which cannot be cancelled. */
export const cancelSignalOf = (ctx: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in ctx ? ctx.getExecutionCancelSignal() : undefined;

/**
 * The workflow's time zone. In workflows created through n8n's API it may be "DEFAULT", meaning n8n's own zone, which
 * n8n does not resolve (n8n-workflow 2.41, workflow.ts). luxon would read "DEFAULT" as the zone that this process's
 * latest workflow has set.
 */
export function timeZoneOf(ctx: NodeContext): string {
	const timeZone = ctx.getTimezone();
	return timeZone === 'DEFAULT' ? n8n.getGlobalState().defaultTimezone : timeZone;
}

/** Whether a run of the node is one turn of a loop, so that its rows may be only some of a list. */
export function isInLoop(ctx: IExecuteFunctions): boolean {
	const { name } = ctx.getNode();
	const after = new Set(ctx.getChildNodes(name).map((node) => node.name));
	return ctx.getParentNodes(name).some((node) => after.has(node.name));
}

/** Whether files are in `_files` of an item's JSON: "combined" mode, a workflow's setting since n8n 2. */
export const keepsFilesInJson = (ctx: Partial<IExecuteFunctions>): boolean =>
	ctx.getWorkflowSettings?.().binaryMode === 'combined';

/**
 * Shows a hint next to the node's output. In n8n 1.85, the context of a node that serves an AI agent lacks this method.
 */
export function showHint(ctx: IExecuteFunctions, message: string): void {
	ctx.addExecutionHints?.({ message, location: 'outputPane' });
}

/** The hint that n8n passed only the first of several items to the node. */
export function executeOnceHint(ctx: IExecuteFunctions): string | undefined {
	const { data } = ctx.getExecuteData() as Partial<n8n.IExecuteData>;
	const items = data?.main?.[0];
	if (!ctx.getNode().executeOnce || !items || items.length < 2) return undefined;
	return `Only the first of ${items.length} rows was read, since 'Execute Once' is on in this node's settings.`;
}

/**
 * @param sharedBy whether all runs of this node share it, or those of all nodes
 * @returns an object that these runs share within one execution and that n8n saves with it, and the index of this run
 * of the node. If n8n provides neither, the run gets an object of its own.
 */
export function executionContextOf<Context extends object>(
	ctx: IExecuteFunctions,
	sharedBy: 'node' | 'flow' = 'node',
): { context: Context; runIndex: number } {
	try {
		const runIndex = Number(ctx.getWorkflowDataProxy(0).$runIndex);
		return { context: ctx.getContext(sharedBy) as Context, runIndex };
	} catch {
		return { context: {} as Context, runIndex: 0 };
	}
}

/** The entry's name; n8n allows letters, digits and underscores. */
const dataName = 'Agency_Records';

/**
 * Saves a text with the execution as "custom execution data", which n8n shows and searches. If the execution is
 * cancelled, n8n keeps nothing else from the node that was running.
 */
export function saveToExecution(ctx: IExecuteFunctions, text: string): void {
	type Execution = { customData?: { set: (key: string, value: string) => void } };
	try {
		(ctx.getWorkflowDataProxy(0).$execution as Execution).customData?.set(dataName, text);
	} catch {
		// If this n8n does not save it, its log still has it.
	}
}

const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted, immediately if it already is. Each signal gets a single listener, because
 * Node.js 20 takes more than ten for a leak and warns in n8n's log (https://github.com/nodejs/node/issues/35990).
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	if (signal.aborted) callback();
	const known = callbacksBySignal.get(signal);
	const callbacks = known ?? new Set<() => void>();
	if (!known) {
		callbacksBySignal.set(signal, callbacks);
		signal.addEventListener('abort', () => [...callbacks].forEach((one) => one()));
	}
	callbacks.add(callback);
	return () => void callbacks.delete(callback);
}

/**
 * Waits for work or for one of the signals, whichever comes first. Each signal has its own listener, because Node.js may
 * garbage-collect a timer that is part of an AbortSignal.any() (https://github.com/nodejs/node/issues/57736).
 * @returns undefined if it was stopped first; the work's later result is lost
 */
export async function unlessStopped<Value>(work: Promise<Value>, ...stops: AbortSignal[]) {
	let forget: Array<() => void> = [];
	const stopping = new Promise<undefined>((resolve) => {
		forget = stops.map((stop) => onAbort(stop, () => resolve(undefined)));
	});
	return await Promise.race([stopping, work]).finally(() => forget.forEach((one) => one()));
}

/**
 * Waits until the time has passed or `stop` is aborted. The two are raced because sleep() ignores its signal before
 * n8n-workflow 2.34.
 * @param milliseconds 0 or more
 */
export async function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
	if (stop.aborted) return;
	const sleeping = n8n.sleep(milliseconds, stop).catch(() => {});
	await unlessStopped(sleeping, stop);
}

/** Milliseconds of uninterrupted work, after which other work of this n8n process gets its turn. */
const maxUninterrupted = 20;

/** Yields the values one by one, and lets other work of this n8n process run in between. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value, void> {
	let startedAt = performance.now();
	for (const value of values) {
		yield value;
		if (performance.now() - startedAt < maxUninterrupted) continue;
		await n8n.sleep(0);
		startedAt = performance.now();
	}
}
