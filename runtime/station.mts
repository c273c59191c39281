// A full n8n in a fresh home, our packed tarball installed, a sandbox beside it, the example at hand.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sandboxCredential } from '../runner/sandboxCredential.mts';
import type { WorkflowFile } from '../runner/workflow.mts';
import { startSandbox, type Exchange, type Sandbox } from '../sandbox/server.mts';

import { ensureRuntime } from './install.mts';
import { FullN8n, pack } from './n8n.mts';
import type { Installation } from './versions.mts';

const examplesFolder = join(import.meta.dirname, '..', 'examples');

/** Names of all examples, without `.json`. */
export const exampleNames = readdirSync(examplesFolder).map((name) => name.replace('.json', ''));

/** An example as users import it. */
export const readExample = (name: string) =>
	JSON.parse(readFileSync(join(examplesFolder, `${name}.json`), 'utf8')) as WorkflowFile & {
		id: string;
	};

export const example = readExample('week-at-the-station');
export const everyOperation = readExample('every-operation');
export const failedRows = readExample('failed-rows-to-a-table');

/** The credential the examples name. */
export const credentialId = 'agencyRecordsSandbox';

export const owner = {
	email: 'owner@agency.example',
	firstName: 'Fire',
	lastName: 'Chief',
	password: 'Passw0rd!',
};

export interface Station {
	n8n: FullN8n;
	sandbox: Sandbox;
	/** What the sandbox was asked; tests empty it. */
	exchanges: Exchange[];
	/** A folder whose files n8n may read and write. */
	folder: string;
	credential: (id: string, grantType: string) => object;
	close: () => Promise<void>;
}

/**
 * @param port of n8n; the next one is used too
 * @param sandboxPort any free one by default
 * @param installation the pinned n8n by default
 */
export async function openStation(
	port: number,
	sandboxPort?: number,
	installation?: Installation,
): Promise<Station> {
	const { executable, node, env } = installation ?? { executable: await ensureRuntime() };
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
	await n8n.install(await pack(join(home, 'packed')));
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
		async close() {
			await sandbox.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}
