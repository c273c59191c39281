// Waits for something by polling.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until the answer is defined.
 * @param what the name of the awaited thing, for the error
 * @param longest the timeout in milliseconds
 * @throws Error after the timeout
 */
export async function waitUntilDefined<T>(
	ask: () => Promise<T | undefined>,
	what: string,
	longest = 180_000,
): Promise<T> {
	const deadline = Date.now() + longest;
	for (;;) {
		const value = await ask();
		if (value !== undefined) return value;
		if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
		await delay(100);
	}
}
