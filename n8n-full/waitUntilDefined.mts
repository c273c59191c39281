// Waits for something that can only be found out by asking again and again.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is defined.
 * @param what the name of what is waited for, for the error
 * @param longest milliseconds
 * @throws Error when it takes longer
 */
export async function waitUntilDefined<T>(
	ask: () => Promise<T | undefined>,
	what: string,
	longest = 180_000,
): Promise<T> {
	const deadline = Date.now() + longest;
	for (;;) {
		const response = await ask();
		if (response !== undefined) return response;
		if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
		await delay(100);
	}
}
