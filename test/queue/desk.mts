// A service of a case's own, with an account at it that nobody has used yet.
import type { TestContext } from 'node:test';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import type { Session } from '../../runtime/n8n.mts';
import { createCredential } from '../../runtime/published.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

export interface Desk {
	sandbox: Sandbox;
	/** ID of the credential, which no process has used yet. */
	credential: string;
	/** How often an operation was asked for. */
	arrivals: (operation: string) => number;
	/** Waits until an operation was asked for so often. */
	arrived: (operation: string, times: number) => Promise<void>;
	/** How often each of these names is in the books. */
	books: (names: readonly string[]) => number[];
}

/** Opens a service, until the test has ended, and an account at it. */
export async function openDesk(
	t: TestContext,
	session: Session,
	options: SandboxOptions = {},
): Promise<Desk> {
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
		credential: await createCredential(session, account),
		arrivals: count,
		arrived: (operation, times) =>
			new Promise((resolve) => {
				waiting.push(() => count(operation) >= times && resolve());
			}),
		books(names) {
			const counts = sandbox.records.countBy('shiftSchedule', 'name');
			return names.map((name) => counts.get(name) ?? 0);
		},
	};
}

/** Names that no other row of the case has. */
export const namesOf = (execution: number | string, count: number): string[] =>
	Array.from({ length: count }, (_, row) => `execution ${execution}, row ${row}`);
