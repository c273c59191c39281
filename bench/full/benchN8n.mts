// Runs the measured workflow with n8n's own command, and reads from n8n's database how long the node took.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import { FullN8n, packPackage } from '../../n8n-full/fullN8n.mts';
import type { Workload } from '../client/measurement.mts';
import { benchAccounts, measuredNode, benchWorkflow } from './benchWorkflow.mts';

const port = 5950;

/** The part of a saved execution that is read here. */
interface Execution {
	resultData: {
		error?: { message: string };
		runData: Record<string, Array<{ executionTime: number; data?: { main: unknown[][] } }>>;
	};
}

/** Asks the database that n8n makes by default. */
const querySqlite = (folder: string) => async (sql: string) => {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	const [value] = Object.values(database.prepare(sql).get()!);
	database.close();
	return value as string;
};

export interface BenchN8n {
	/**
	 * Runs one variant in a new n8n process.
	 * @returns the milliseconds that n8n itself says the node took
	 * @throws Error when the node did not give one item for each of its items
	 */
	run: (workload: Workload, variant: string, url: string, items: number) => Promise<number>;
}

const newest = 'SELECT data FROM execution_data ORDER BY "executionId" DESC LIMIT 1';

/**
 * @param folder n8n's user folder
 * @param certificate the path of the certificate (PEM) that n8n trusts
 * @param env more environment variables of n8n
 * @param query asks n8n's database, and returns the one value of the answer
 */
export async function openBenchN8n(
	folder: string,
	certificate: string,
	env: Record<string, string> = {},
	query = querySqlite(folder),
): Promise<BenchN8n> {
	const executable = await ensureN8nInstalled();
	const n8n = new FullN8n(executable, folder, port, {
		NODE_EXTRA_CA_CERTS: certificate,
		...env,
	});
	await n8n.install(await packPackage(join(folder, 'packed')));

	const lastExecution = async () => n8n.parse(await query(newest)) as Execution;

	return {
		async run(workload, variant, url, items) {
			const credentials = benchAccounts.map((username) => ({
				id: username,
				name: username,
				type: 'agencyRecordsApi',
				data: sandboxCredential(url, { grantType: 'password', username }),
			}));
			await n8n.import('credentials', credentials);
			await n8n.import('workflow', [benchWorkflow('bench', workload, variant, url, items)]);
			await n8n.command('execute', '--id=bench');
			const { error, runData } = (await lastExecution()).resultData;
			const task = runData[measuredNode]?.[0];
			const made = task?.data?.main[0]?.length ?? 0;
			if (error || !task || made !== items) {
				throw new Error(
					`${variant}: ${made} of ${items} items${error ? `: ${error.message}` : ''}`,
				);
			}
			return task.executionTime;
		},
	};
}
