// Turns of the event loop: what is in progress in this process goes on, without waiting for time to pass.

/** Everything that is ready to continue does so first. */
export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** As many turns as a request takes that is made now, and arrives at a service of this process. */
export async function comeToRest(): Promise<void> {
	for (let turn = 0; turn < 200; turn++) await nextTurn();
}
