// The plainest parallel work.

/** How many at once: as many as this package has under way at most. */
export const width = 256;

/** Does something with each entry, so many at once from the first moment on. */
export async function atOnce<Entry>(
	entries: readonly Entry[],
	work: (entry: Entry, index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < entries.length) {
			const index = next++;
			await work(entries[index]!, index);
		}
	};
	await Promise.all(Array.from({ length: width }, lane));
}
