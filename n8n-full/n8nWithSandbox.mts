// A full n8n with an empty user folder and this package installed from its tarball, with a sandbox of the service;
// and the example workflows.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sandboxCredential } from '../n8n-in-process/sandboxCredential.mts';
import type { WorkflowFile } from '../n8n-in-process/workflow.mts';
import { startSandbox, type Exchange, type Sandbox } from '../sandbox/server.mts';

import { ensureN8nInstalled } from './install.mts';
import { FullN8n, packPackage, type N8nSession } from './fullN8n.mts';
import type { N8nInstallation } from './n8nVersions.mts';
import type { ProcessGroup } from './processGroup.mts';

const examplesFolder = join(import.meta.dirname, '..', 'examples');

/** The names of all examples, without `.json`. */
export const exampleNames = readdirSync(examplesFolder).map((name) => name.replace('.json', ''));

/** @returns an example workflow as users import it */
export const readExample = (name: string) =>
	JSON.parse(readFileSync(join(examplesFolder, `${name}.json`), 'utf8')) as WorkflowFile & {
		id: string;
	};

/** The same example with one node changed, as its person changes it. */
export const withNode = <File extends WorkflowFile>(
	example: File,
	name: string,
	changes: Partial<WorkflowFile['nodes'][number]>,
): File => ({
	...example,
	nodes: example.nodes.map((node) => (node.name === name ? { ...node, ...changes } : node)),
});

/** The same example with rows of one's own. */
export const withRowsOfTheNight = <File extends WorkflowFile>(
	example: File,
	rows: readonly object[],
): File =>
	withNode(example, 'Rows of the Night', {
		parameters: { jsCode: `return ${JSON.stringify(rows.map((json) => ({ json })))};` },
	});

/** Corrects a row in the source of an example in n8n, as its people do. */
export async function correctRowsOfTheNight(
	session: N8nSession,
	workflow: string,
	wrong: string,
	right: string,
): Promise<void> {
	const { nodes, versionId } = (await session.get(`/workflows/${workflow}`)) as WorkflowFile & {
		versionId: string;
	};
	const source = nodes.find(({ name }) => name === 'Rows of the Night')!;
	source.parameters.jsCode = (source.parameters.jsCode as string).replace(wrong, right);
	await session.send('PATCH', `/workflows/${workflow}`, { nodes, versionId });
}

/** The ID of the credential that the examples use. */
export const exampleCredentialId = 'agencyRecordsSandbox';

export const n8nOwner = {
	email: 'owner@agency.example',
	firstName: 'Fire',
	lastName: 'Chief',
	password: 'Passw0rd!',
};

export interface N8nWithSandbox {
	n8n: FullN8n;
	sandbox: Sandbox;
	/** The requests and answers of the sandbox so far. Tests empty this list. */
	exchanges: Exchange[];
	/** The only folder whose files n8n may read and write. */
	folder: string;
	credential: (id: string, grantType: string) => object;
	/** Starts n8n, and signs in. */
	start: () => Promise<N8nSession>;
	/** Ends n8n, by SIGTERM if no other signal is given. */
	stop: ProcessGroup['stop'];
	/** Ends both, and removes what they have left. */
	close: () => Promise<void>;
}

/**
 * @param port n8n's port; the next one is used too
 * @param sandboxPort the sandbox's port; any free one by default
 * @param installation the pinned n8n by default
 */
export async function openN8nWithSandbox(
	port: number,
	sandboxPort?: number,
	installation?: N8nInstallation,
): Promise<N8nWithSandbox> {
	const { executable, node, env } = installation ?? { executable: await ensureN8nInstalled() };
	const home = mkdtempSync(join(tmpdir(), 'agency-e2e-'));
	const exchanges: Exchange[] = [];
	const sandbox = await startSandbox({
		port: sandboxPort,
		onExchange: (exchange) => exchanges.push(exchange),
	});
	const folder = join(home, 'files');
	mkdirSync(folder);
	const files = { N8N_RESTRICT_FILE_ACCESS_TO: folder };
	const n8n = new FullN8n(executable, home, port, { ...files, ...env }, node);
	await n8n.install(await packPackage(join(home, 'packed')));
	let stop: ProcessGroup['stop'] | undefined;
	return {
		n8n,
		sandbox,
		exchanges,
		folder,
		credential: (id, grantType) => ({
			id,
			name: `Agency Records (${grantType})`,
			type: 'agencyRecordsApi',
			data: sandboxCredential(sandbox.url, { grantType }),
		}),
		async start() {
			stop = await n8n.start();
			return await n8n.session(n8nOwner);
		},
		stop: async (signal) => await stop?.(signal),
		async close() {
			await stop?.();
			await sandbox.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}
