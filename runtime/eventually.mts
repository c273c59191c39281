// For what can only be asked for again and again.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until there is an answer.
 * @param what is waited for
 * @throws Error when that takes more than three minutes
 */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await delay(100);
	}
}
