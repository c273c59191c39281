// A service of a case's own, with an account at it that nobody has used yet.
import type { TestContext } from 'node:test';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import type { Session } from '../../runtime/n8n.mts';
import { createCredential } from '../../runtime/published.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

export interface QueueSandbox {
	sandbox: Sandbox;
	/** ID of the credential, which no process has used yet. */
	credentialId: string;
	/** How often an operation was asked for. */
	requestCount: (operation: string) => number;
	/** Waits until an operation was asked for so often. */
	requestsArrived: (operation: string, times: number) => Promise<void>;
	/** How often each of these names is in the books. */
	timesCreated: (names: readonly string[]) => number[];
}

/** Opens a service, until the test has ended, and an account at it. */
export async function openQueueSandbox(
	t: TestContext,
	session: Session,
	options: SandboxOptions = {},
): Promise<QueueSandbox> {
	const arrivals = new Map<string, number>();
	const waiting: Array<() => void> = [];
	const sandbox = await startSandbox({
		...options,
		onArrival(operation) {
			arrivals.set(operation, (arrivals.get(operation) ?? 0) + 1);
			for (const look of waiting) look();
		},
	});
	t.after(() => sandbox.close());
	const account = sandboxCredential(sandbox.url, { grantType: 'password' });
	const count = (operation: string) => arrivals.get(operation) ?? 0;
	return {
		sandbox,
		credentialId: await createCredential(session, account),
		requestCount: count,
		requestsArrived: (operation, times) =>
			new Promise((resolve) => {
				waiting.push(() => count(operation) >= times && resolve());
			}),
		timesCreated(names) {
			const found = new Map(names.map((name) => [name, 0]));
			for (const { data } of sandbox.store.list('shiftSchedule').rows) {
				const name = data.name as string;
				if (found.has(name)) found.set(name, found.get(name)! + 1);
			}
			return [...found.values()];
		},
	};
}

/** Names that no other row of the case has. */
export const rowNames = (execution: number | string, count: number): string[] =>
	Array.from({ length: count }, (_, row) => `execution ${execution}, row ${row}`);
