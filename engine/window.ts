// Parallel work with a bound: at most so many tasks at once, results in the order of the tasks.

/**
 * Runs a task for each entry, `width` at a time. Once a task throws, no new one starts; those under way
 * are awaited.
 * @param width most tasks under way at once, 1 or more
 * @returns results in the entries' order, cut where the first failed
 * @throws what the first failed entry's task threw
 */
export async function inWindow<Entry, Result>(
	width: number,
	entries: readonly Entry[],
	task: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(entries.length);
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const lane = async () => {
		while (next < entries.length && failures.length === 0) {
			const index = next++;
			try {
				results[index] = await task(entries[index]!);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, lane));
	const first = failures.sort((a, b) => a.index - b.index)[0];
	if (first) throw first.error;
	return results;
}
