// Runs tasks in parallel, with a limit on how many run at once. They begin in the order of their entries.

/**
 * Runs a task for each entry. After `stop`, no new task begins; running tasks are awaited.
 * @param maxParallel most tasks that run at once, 1 or more
 * @param task must not throw
 * @param untilReady resolves when the next task may begin: an entry is taken, and so made, no earlier than needed
 */
export async function runInParallel<Entry>(
	maxParallel: number,
	entries: AsyncIterable<Entry>,
	stop: AbortSignal,
	task: (entry: Entry) => Promise<void>,
	untilReady: () => Promise<unknown>,
): Promise<void> {
	let running = 0;
	let onTaskEnd = () => {};
	const untilTaskEnds = () => new Promise<void>((resolve) => (onTaskEnd = resolve));
	try {
		for await (const entry of entries) {
			if (stop.aborted) break;
			running++;
			void task(entry).then(() => {
				running--;
				onTaskEnd();
			});
			await untilReady();
			while (running >= maxParallel) await untilTaskEnds();
		}
	} finally {
		while (running > 0) await untilTaskEnds();
	}
}
