// Measures what an n8n process holds after a garbage collection, by its own metrics (N8N_METRICS).
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessUsage {
	/** Bytes of the JavaScript heap that are in use. */
	heap: number;
	/** Resident bytes of the process. */
	rss: number;
	/** How many files and connections are open. */
	files: number;
}

const metricNames: Record<keyof ProcessUsage, string> = {
	heap: 'n8n_nodejs_heap_size_used_bytes',
	rss: 'n8n_process_resident_memory_bytes',
	files: 'n8n_process_open_fds',
};

/** Milliseconds after which idle keep-alive connections have been closed. */
const keepAliveTimeout = 6000;

/** @param inspector the address of Node.js's inspector */
async function collectGarbage(inspector: string): Promise<void> {
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
 * Measures an n8n while it is idle.
 * @param url the address of n8n
 * @param inspector the address of Node.js's inspector
 */
export async function measureProcess(url: string, inspector: string): Promise<ProcessUsage> {
	await delay(keepAliveTimeout);
	await collectGarbage(inspector);
	const text = await (await fetch(`${url}/metrics`)).text();
	const figure = (name: string) => {
		const [, value] = new RegExp(`^${name} (\\S+)`, 'm').exec(text) ?? [];
		if (value === undefined) throw new Error(`n8n's metrics have no ${name}`);
		return Number(value);
	};
	const entries = Object.entries(metricNames).map(([key, name]) => [key, figure(name)]);
	return Object.fromEntries(entries) as object as ProcessUsage;
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
