// Turns of the event loop: work in this process continues without waiting for time to pass.

/** Everything that is ready to run does so first. */
export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Enough turns for a request made now to arrive at a service in this process. */
export async function comeToRest(): Promise<void> {
	for (let turn = 0; turn < 200; turn++) await nextTurn();
}
