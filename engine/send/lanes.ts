// Parallel work with a bound: at most so many tasks at once, begun in the order of the entries.

/**
 * Runs a task for each entry, `width` at a time. After `stop` no new one begins; those under way are awaited.
 * @param width most tasks under way at once, 1 or more
 * @param task must not throw
 */
export async function inWindow<Entry>(
	width: number,
	entries: readonly Entry[],
	stop: AbortSignal,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < entries.length && !stop.aborted) await task(entries[next++]!);
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, lane));
}
