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

/** Milliseconds between two samples. */
const pause = 1000;
/** Samples in a row without less memory, until it counts as settled; and how many are taken at most. */
const settled = 15;
const mostSamples = 120;

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
 * Measures an idle n8n until its memory has settled: rubbish is collected when there is time. The smallest of each
 * figure is what it holds on to.
 * @param url of n8n
 */
export async function measure(url: string): Promise<Figures> {
	let least: Figures = { heap: Infinity, rss: Infinity, files: Infinity };
	for (let n = 0, since = 0; n < mostSamples && since < settled; n++, since++) {
		await delay(pause);
		const { heap, rss, files } = await sample(url);
		// Less by a hundredth is not noise.
		if (heap < 0.99 * least.heap || rss < 0.99 * least.rss) since = 0;
		least = {
			heap: Math.min(heap, least.heap),
			rss: Math.min(rss, least.rss),
			files: Math.min(files, least.files),
		};
	}
	return least;
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
