// A full n8n that runs a workflow by its own command, and what its database then says of it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { ensureRuntime } from '../../runtime/install.mts';
import { FullN8n, pack } from '../../runtime/n8n.mts';
import type { Kind } from '../client/task.mts';
import { accounts, measured, workflowFor } from './workflow.mts';

const port = 5950;

/** What n8n saves of an execution, as far as it is read here. */
interface Execution {
	resultData: {
		error?: { message: string };
		runData: Record<string, Array<{ executionTime: number; data?: { main: unknown[][] } }>>;
	};
}

export interface Home {
	/**
	 * Runs one way in a fresh process.
	 * @returns milliseconds the node took, by n8n's own account
	 * @throws Error when not every item gave one
	 */
	run: (kind: Kind, way: string, url: string, items: number) => Promise<number>;
}

/**
 * @param folder n8n's home
 * @param certificate path of the certificate that n8n trusts (PEM)
 * @param env what n8n is told beyond that
 */
export async function openHome(
	folder: string,
	certificate: string,
	env: Record<string, string> = {},
): Promise<Home> {
	const executable = await ensureRuntime();
	const n8n = new FullN8n(executable, folder, port, {
		NODE_EXTRA_CA_CERTS: certificate,
		...env,
	});
	await n8n.install(await pack(join(folder, 'packed')));

	const lastExecution = (): Execution => {
		const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
		const newest = 'SELECT data FROM execution_data ORDER BY executionId DESC LIMIT 1';
		const { data } = database.prepare(newest).get() as { data: string };
		database.close();
		return n8n.parse(data) as Execution;
	};

	return {
		async run(kind, way, url, items) {
			const credentials = accounts.map((username) => ({
				id: username,
				name: username,
				type: 'agencyRecordsApi',
				data: sandboxCredential(url, { grantType: 'password', username }),
			}));
			await n8n.import('credentials', credentials);
			await n8n.import('workflow', [workflowFor('bench', kind, way, url, items)]);
			await n8n.command('execute', '--id=bench');
			const { error, runData } = lastExecution().resultData;
			const task = runData[measured]?.[0];
			const made = task?.data?.main[0]?.length ?? 0;
			if (error || !task || made !== items) {
				throw new Error(`${way}: ${made} of ${items} items${error ? `: ${error.message}` : ''}`);
			}
			return task.executionTime;
		},
	};
}
