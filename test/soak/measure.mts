// What a process of n8n holds on to: after its rubbish was collected, by its own account (N8N_METRICS).
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface Figures {
	/** Bytes of JavaScript's memory that are in use. */
	heap: number;
	/** Bytes of the machine's memory. */
	rss: number;
	/** Open files and connections. */
	files: number;
}

const names: Record<keyof Figures, string> = {
	heap: 'n8n_nodejs_heap_size_used_bytes',
	rss: 'n8n_process_resident_memory_bytes',
	files: 'n8n_process_open_fds',
};

/** Milliseconds until connections are closed that are kept open for a next request. */
const untilClosed = 6000;

/** @param inspector address of Node.js' own */
async function collectRubbish(inspector: string): Promise<void> {
	const [target] = (await (await fetch(`http://${inspector}/json`)).json()) as [
		{ webSocketDebuggerUrl: string },
	];
	const socket = new WebSocket(target.webSocketDebuggerUrl);
	await once(socket, 'open');
	socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
	await once(socket, 'message');
	socket.close();
}

/**
 * Measures an n8n that has nothing to do.
 * @param url of n8n
 * @param inspector address where Node.js lets itself be inspected
 */
export async function measure(url: string, inspector: string): Promise<Figures> {
	await delay(untilClosed);
	await collectRubbish(inspector);
	const text = await (await fetch(`${url}/metrics`)).text();
	const figure = (name: string) => {
		const [, value] = new RegExp(`^${name} (\\S+)`, 'm').exec(text) ?? [];
		if (value === undefined) throw new Error(`n8n tells no ${name}`);
		return Number(value);
	};
	const entries = Object.entries(names).map(([key, name]) => [key, figure(name)]);
	return Object.fromEntries(entries) as object as Figures;
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
