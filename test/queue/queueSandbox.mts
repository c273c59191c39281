// A sandbox for one test, with a credential that no n8n process has used yet.
import type { TestContext } from 'node:test';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { createCredential } from '../../n8n-full/webhookWorkflows.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

export interface QueueSandbox {
	sandbox: Sandbox;
	/** The ID of the credential. No n8n process has used it yet. */
	credentialId: string;
	/** The number of arrived requests of an operation. */
	requestCount: (operation: string) => number;
	/** Waits until this many requests of an operation have arrived. */
	requestsArrived: (operation: string, times: number) => Promise<unknown>;
}

/** Starts a sandbox, which is closed after the test, and creates a credential for it. */
export async function openQueueSandbox(
	t: TestContext,
	session: N8nSession,
	options: SandboxOptions = {},
): Promise<QueueSandbox> {
	const arrivals = new Map<string, number>();
	const count = (operation: string) => arrivals.get(operation) ?? 0;
	const sandbox = await startSandbox({
		...options,
		onArrival: (operation) => void arrivals.set(operation, count(operation) + 1),
	});
	t.after(() => sandbox.close());
	const account = sandboxCredential(sandbox.url, { grantType: 'password' });
	return {
		sandbox,
		credentialId: await createCredential(session, account),
		requestCount: count,
		requestsArrived: (operation, times) =>
			waitUntilDefined(async () => count(operation) >= times || undefined, operation),
	};
}
