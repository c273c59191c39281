// Waits for something that can only be found out by asking again and again.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is defined.
 * @param what the name of what is waited for, for the error
 * @throws Error when that takes more than three minutes
 */
export async function waitUntilDefined<T>(
	ask: () => Promise<T | undefined>,
	what: string,
): Promise<T> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
		await delay(100);
	}
}
