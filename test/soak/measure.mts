// What a process of n8n uses, by its own account (N8N_METRICS).
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

/** Milliseconds between two samples, and how many are taken: rubbish is collected in between. */
const pause = 1000;
const samples = 15;

async function sample(url: string): Promise<Figures> {
	const text = await (await fetch(`${url}/metrics`)).text();
	const figure = (name: string) => {
		const [, value] = new RegExp(`^${name} (\\S+)`, 'm').exec(text) ?? [];
		if (value === undefined) throw new Error(`n8n tells no ${name}`);
		return Number(value);
	};
	const entries = Object.entries(names).map(([key, name]) => [key, figure(name)]);
	return Object.fromEntries(entries) as object as Figures;
}

/**
 * Measures an idle n8n several times: the smallest of each figure is what it holds on to.
 * @param url of n8n
 */
export async function measure(url: string): Promise<Figures> {
	const all: Figures[] = [];
	for (let n = 0; n < samples; n++) {
		await delay(pause);
		all.push(await sample(url));
	}
	const least = (key: keyof Figures) => Math.min(...all.map((figures) => figures[key]));
	return { heap: least('heap'), rss: least('rss'), files: least('files') };
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
