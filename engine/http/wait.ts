// Waiting that can be ended.
import { sleep } from 'n8n-workflow';

/**
 * Waits, but not longer than until `stop`. Raced against it, since n8n's own sleep() takes no signal before
 * n8n-workflow 2.34.
 * @param milliseconds 0 or more
 */
export async function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
	if (stop.aborted) return;
	let stopped: (() => void) | undefined;
	const stopping = new Promise<void>((resolve) => {
		stopped = resolve;
		stop.addEventListener('abort', stopped);
	});
	await Promise.race([sleep(milliseconds, stop).catch(() => {}), stopping]);
	stop.removeEventListener('abort', stopped!);
}
