// Runs the measured workflow with n8n's own command, and reads from n8n's database how long the node took. The workflow
// first warms up the code with another account, then signs in, then does the work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { manualTriggerType, workflowOf, type Step } from '../../n8n-in-process/workflow.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import { FullN8n, packPackage } from '../../n8n-full/fullN8n.mts';
import { nodeVariants, type NodeVariant } from '../client/nodeVariants.mts';
import type { Workload } from '../goals.mts';

const port = 5950;

/** The name of the node whose time is measured. */
export const measuredNode = 'Measured';

const accounts = ['measured', 'other'] as const;

const rows = (name: string, count: number): Step => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, n) => ({ json: {
	name: 'Shift ' + n,
	fromDate: '2026-03-01T07:00:00-05:00',
	toDate: '2026-03-02T07:00:00-05:00',
	stationNumber: '4',
} }));`,
	},
});

function benchWorkflow(variant: NodeVariant, items: number) {
	const node = (name: string, account: (typeof accounts)[number]): Step => ({
		name,
		...variant,
		credentials: { agencyRecordsApi: { id: account, name: account } },
	});
	const steps = [
		{ name: 'Start', type: manualTriggerType },
		rows('Rows to Warm Up', 200),
		node('Warm Up', 'other'),
		rows('One Row', 1),
		node('Sign In', 'measured'),
		rows('Rows', items),
		// Keys are remembered for a node by its ID.
		{ ...node(measuredNode, 'measured'), id: measuredNode },
	];
	return { ...workflowOf('bench', steps), id: 'bench', active: false };
}

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
	close: () => void;
}

const newest = 'SELECT data FROM execution_data ORDER BY "executionId" DESC LIMIT 1';

/**
 * @param certificate the path of the certificate (PEM) that n8n trusts
 * @param env more environment variables of n8n
 * @param query asks n8n's database, and returns the one value of the answer
 */
export async function openBenchN8n(
	certificate: string,
	env: Record<string, string> = {},
	query?: (sql: string) => Promise<string>,
): Promise<BenchN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
	const ask = query ?? querySqlite(folder);
	const n8n = new FullN8n(await ensureN8nInstalled(), folder, port, {
		NODE_EXTRA_CA_CERTS: certificate,
		...env,
	});
	await n8n.install(await packPackage(join(folder, 'packed')));
	return {
		async run(workload, variant, url, items) {
			const credentials = accounts.map((username) => ({
				id: username,
				name: username,
				type: 'agencyRecordsApi',
				data: sandboxCredential(url, { grantType: 'password', username }),
			}));
			await n8n.import('credentials', credentials);
			const workflow = benchWorkflow(nodeVariants(url)[workload][variant]!, items);
			await n8n.import('workflow', [workflow]);
			await n8n.command('execute', '--id=bench');
			const { error, runData } = (n8n.parse(await ask(newest)) as Execution).resultData;
			const task = runData[measuredNode]?.[0];
			const made = task?.data?.main[0]?.length ?? 0;
			if (error || !task || made !== items) {
				throw new Error(
					`${variant}: ${made} of ${items} items${error ? `: ${error.message}` : ''}`,
				);
			}
			return task.executionTime;
		},
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}
