// Runs the measured workflow with n8n's own command and PostgreSQL, and reads from the database how long the node took.
// The workflow first warms up the code with another account, then signs in, then does the work.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { manualTriggerType, workflowOf, type Step } from '../../n8n-in-process/workflow.mts';
import { openTemporaryPostgres } from '../../n8n-full/databases.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import { FullN8n, packPackage } from '../../n8n-full/fullN8n.mts';
import { nodeVariants, type NodeVariant } from '../client/nodeVariants.mts';
import type { Workload } from '../measures.mts';

const port = 5950;

/** The name of the node whose time is measured. */
const measuredNode = 'Measured';

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

const newest = 'SELECT data FROM execution_data ORDER BY "executionId" DESC LIMIT 1';

/** Adds the plain node to n8n's folder for custom nodes. */
function addPlainNode(n8nFolder: string): void {
	const folder = join(n8nFolder, '.n8n', 'custom');
	const source = readFileSync(join(import.meta.dirname, '../client/plainNode.mts'), 'utf8');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
	writeFileSync(join(folder, 'PlainNode.node.js'), stripTypeScriptTypes(source));
}

/** @param certificate the path of the certificate (PEM) that n8n trusts */
export async function openBenchN8n(certificate: string) {
	const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
	const { account, query, stop } = await openTemporaryPostgres(5960);
	const n8n = new FullN8n(await ensureN8nInstalled(), folder, port, {
		NODE_EXTRA_CA_CERTS: certificate,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: account.host,
		DB_POSTGRESDB_PORT: String(account.port),
		DB_POSTGRESDB_DATABASE: account.database,
		DB_POSTGRESDB_USER: account.user,
	});
	await n8n.install(await packPackage(join(folder, 'packed')));
	addPlainNode(folder);
	const importWorkflow = (variant: NodeVariant, items: number) =>
		n8n.import('workflow', [benchWorkflow(variant, items)]);
	return {
		/**
		 * Runs one variant in a new n8n process.
		 * @returns the milliseconds that n8n itself says the node took
		 * @throws Error when the node did not give one item for each of its items
		 */
		async run(workload: Workload, variant: string, url: string, items: number): Promise<number> {
			const credentials = accounts.map((username) => ({
				id: username,
				name: username,
				type: 'agencyRecordsApi',
				data: sandboxCredential(url, { grantType: 'password', username }),
			}));
			await n8n.import('credentials', credentials);
			await importWorkflow(nodeVariants(url)[workload][variant]!, items);
			await n8n.command('execute', '--id=bench');
			const { error, runData } = (n8n.parse(await query(newest)) as Execution).resultData;
			const task = runData[measuredNode]?.[0];
			const made = task?.data?.main[0]?.length ?? 0;
			if (error || !task || made !== items) {
				throw new Error(
					`${variant}: ${made} of ${items} items${error ? `: ${error.message}` : ''}`,
				);
			}
			return task.executionTime;
		},
		/** Replaces the keys that the measured node remembers, in n8n's database. */
		async setRememberedKeys(count: number): Promise<void> {
			// The keys belong to a workflow, and importing one creates n8n's tables.
			await importWorkflow({ type: manualTriggerType, typeVersion: 1, parameters: {} }, 0);
			await query('DELETE FROM processed_data');
			if (count === 0) return;
			// Each key has a mark of its own, and one for the fingerprint of its item.
			const marks = 2 * count;
			const hash = "encode(decode(md5(n::text), 'hex'), 'base64')";
			await query(`
				INSERT INTO processed_data ("workflowId", "context", "value")
				SELECT 'bench', 'n:${measuredNode}', json_build_object('mode', 'entries', 'data', json_agg(${hash}))
				FROM generate_series(1, ${marks}) AS n`);
		},
		/** The total bytes that PostgreSQL has written to its log, once all earlier work is finished. */
		async logPosition(): Promise<number> {
			await query('CHECKPOINT');
			return Number(await query("SELECT pg_current_wal_lsn() - '0/0'"));
		},
		async close(): Promise<void> {
			await stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
