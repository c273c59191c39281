// Parallel work with a bound: at most so many tasks at once, begun in the order of the entries.

/**
 * Runs a task for each entry, `width` at a time. After `stop` no new one begins; those under way are awaited.
 * @param maxParallel most tasks under way at once, 1 or more
 * @param task must not throw
 * @param ready resolves when the next may begin: entries are taken, and so made, no earlier than needed
 */
export async function runInParallel<Entry>(
	maxParallel: number,
	entries: AsyncIterable<Entry>,
	stop: AbortSignal,
	task: (entry: Entry) => Promise<void>,
	ready: () => Promise<void>,
): Promise<void> {
	let underWay = 0;
	let ended = () => {};
	const oneEnds = () => new Promise<void>((resolve) => (ended = resolve));
	try {
		for await (const entry of entries) {
			if (stop.aborted) break;
			underWay++;
			void task(entry).then(() => {
				underWay--;
				ended();
			});
			await ready();
			while (underWay >= maxParallel) await oneEnds();
		}
	} finally {
		while (underWay > 0) await oneEnds();
	}
}
