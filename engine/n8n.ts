// Everything that must be done differently in some of the n8n versions that the nodes support, and why.
import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

// Without this check, each node would fail to load in an older n8n with a TypeError that does not say why.
if (!('NodeConnectionTypes' in n8n)) {
	throw new Error('n8n-nodes-agency-records needs n8n 1.85 or newer: update n8n, then restart it');
}

/**
 * Takes what n8n's HTTP client threw out of what n8n's request helper throws. n8n 1.121 to 2.33 keep only the code and
 * the message of that error, and lose its request, which shows whether anything was sent.
 */
export function transportErrorOf(error: unknown): Error {
	const { cause, httpCode, messages } = error as Partial<n8n.NodeApiError>;
	return cause ?? Object.assign(new Error(messages?.[0]), { code: httpCode ?? undefined });
}

const keepsCause = new n8n.NodeApiError({} as n8n.INode, new Error() as never).cause !== undefined;

const errorStatuses = Array.from({ length: 200 }, (_, index) => 400 + index);

/**
 * Which statuses n8n's request helper gives as responses. It throws the others, and what it throws shows the connection
 * that they came over, unless n8n loses the cause. A 401 is none of them: n8n would sign in by itself. n8n before 2.11
 * takes this for true.
 */
export const statusesAsResponses = keepsCause
	? { ignore: true as const, except: errorStatuses.filter((status) => status !== 401) }
	: true;

/** What n8n gives a node when it runs or polls it. */
export type NodeContext = IExecuteFunctions | IPollFunctions;

/** The signal that is aborted when the execution is cancelled; undefined for a poll, which cannot be cancelled. */
export const cancelSignalOf = (ctx: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in ctx ? ctx.getExecutionCancelSignal() : undefined;

/**
 * The workflow's time zone. A workflow that n8n's API made has "DEFAULT", which means n8n's own; to luxon it means the
 * zone that the last workflow of this process has set.
 */
export function timeZoneOf(ctx: NodeContext): string {
	const timeZone = ctx.getTimezone();
	return timeZone === 'DEFAULT' ? n8n.getGlobalState().defaultTimezone : timeZone;
}

/** Shows a text beside the node's output. In n8n 1.85, a node that serves an AI agent has no place for it. */
export function showHint(ctx: IExecuteFunctions, message: string): void {
	ctx.addExecutionHints?.({ message, location: 'outputPane' });
}

/** A hint where n8n gives a node only the first of several items. */
export function executeOnceHint(ctx: IExecuteFunctions): string | undefined {
	const { data } = ctx.getExecuteData() as Partial<n8n.IExecuteData>;
	const items = data?.main?.[0];
	if (!ctx.getNode().executeOnce || !items || items.length < 2) return undefined;
	return `Only the first of ${items.length} rows was read, since 'Execute Once' is on in this node's settings.`;
}

/**
 * @param sharedBy all runs of this node, or those of all nodes
 * @returns an object that these runs share in one execution, with which n8n saves it, and which run of the node this is.
 * Where n8n gives none, the run stands alone.
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

/** The name of the entry; n8n takes letters, digits and underscores. */
const dataName = 'Agency_Records';

/** n8n keeps so many characters of a value; of longer ones it complains in its log. */
const maxDataLength = 255;

/**
 * Keeps a text beside the execution, where n8n shows it with the execution and lets it be searched for ("custom
 * execution data"). Of a cancelled execution n8n keeps nothing else of the node that was running.
 */
export function saveToExecution(ctx: IExecuteFunctions, text: string): void {
	try {
		const { customData } = ctx.getWorkflowDataProxy(0).$execution as n8n.IDataObject & {
			customData?: { set: (key: string, value: string) => void };
		};
		customData?.set(dataName, text.slice(0, maxDataLength));
	} catch {
		// What an n8n does not keep is in its log all the same.
	}
}

/** What is called when a signal is aborted. */
class Callbacks extends Set<() => void> {
	handleEvent(): void {
		for (const callback of [...this]) callback();
	}
}

const callbacksBySignal = new WeakMap<AbortSignal, Callbacks>();

/**
 * Calls back when a signal is aborted, at once where it is already. Each signal has one listener, since Node.js 20 takes
 * more than ten for a leak, and warns of it in n8n's log.
 * @returns a function that takes the callback back
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	if (signal.aborted) callback();
	const callbacks = callbacksBySignal.get(signal) ?? new Callbacks();
	if (callbacks.size === 0) signal.addEventListener('abort', callbacks);
	callbacksBySignal.set(signal, callbacks.add(callback));
	return () => {
		callbacks.delete(callback);
		if (callbacks.size === 0) signal.removeEventListener('abort', callbacks);
	};
}

/**
 * Waits for work, but not longer than until `stop`.
 * @returns undefined when it was stopped before; what the work gives then is lost
 */
export async function unlessStopped<Value>(work: Promise<Value>, stop: AbortSignal) {
	let forget!: () => void;
	const stopping = new Promise<undefined>((resolve) => {
		forget = onAbort(stop, () => resolve(undefined));
	});
	return await Promise.race([stopping, work]).finally(forget);
}

/**
 * Waits until the time has passed or `stop` is aborted. The two are raced, because n8n's own sleep() takes no signal
 * before n8n-workflow 2.34.
 * @param milliseconds 0 or more
 */
export async function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
	if (stop.aborted) return;
	const sleeping = n8n.sleep(milliseconds, stop).catch(() => {});
	await unlessStopped(sleeping, stop);
}

/** Milliseconds of work in one piece, after which other work of this n8n process gets its turn. */
const maxPiece = 20;

/** Gives the values for work that is done on each; other work of this n8n process gets its turns in between. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value, void> {
	let startedAt = performance.now();
	for (const value of values) {
		yield value;
		if (performance.now() - startedAt < maxPiece) continue;
		await n8n.sleep(0);
		startedAt = performance.now();
	}
}
