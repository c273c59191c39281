// Runs asynchronous work on many entries in parallel, in the simplest way.

/** How many entries are worked on at once: the most requests that this package has in flight. */
export const concurrency = 256;

/** Works on each entry, with the full concurrency from the start. */
export async function forEachInParallel<Entry>(
	entries: readonly Entry[],
	work: (entry: Entry, index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const workOnEntries = async () => {
		while (next < entries.length) {
			const index = next++;
			await work(entries[index]!, index);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, workOnEntries));
}
