// Versions of n8n that the package is tried in, each with the Node.js it wants.
import { join } from 'node:path';

import { ensureRuntime, executableIn, install, pinned } from './install.mts';

/** An n8n on this machine. */
export interface Installation {
	executable: string;
	/** The Node.js that runs it; the one that runs this by default. */
	node?: string;
	/** What it is told beyond what all are told; undefined takes a setting away. */
	env?: Record<string, string | undefined>;
}

export interface Version {
	n8n: string;
	node: string;
	ensure: () => Promise<Installation>;
}

/** The newest that does not load the package, of those that can still be installed whole. */
export const tooOld = released('1.82.3', '20.20.2', { xlsx: '0.18.5' });

const { dependencies } = JSON.parse(pinned('package.json')) as { dependencies: { n8n: string } };

/** The oldest first. */
const supported: readonly Version[] = [
	released('1.85.4', '20.20.2', { xlsx: '0.18.5' }),
	released('1.123.81', '22.23.3', { xlsx: '0.18.5', linkedom: '0.18.12' }),
	released('2.8.4', '24.21.0', { xlsx: '0.18.5', linkedom: '0.18.12' }),
	{
		n8n: dependencies.n8n,
		node: process.versions.node,
		ensure: async () => ({ executable: await ensureRuntime() }),
	},
];

/** Such as `2.45.0` or `latest`: to be tried instead of those that are supported. */
export const another = process.env.N8N_TRY;

export const versions = another ? [released(another, process.versions.node, {})] : supported;

/** @param overrides for dependencies that npm's registry does not hold as n8n names them */
function released(n8n: string, node: string, overrides: Record<string, string>): Version {
	const manifest = { private: true, dependencies: { n8n, node }, overrides };
	return {
		n8n,
		node,
		async ensure() {
			const folder = await install(
				`n8n-${n8n}`,
				{ '.npmrc': pinned('.npmrc'), 'package.json': JSON.stringify(manifest) },
				'install',
				{ 'node-js': 'node', 'database-driver': 'sqlite3' },
			);
			return {
				executable: executableIn(folder),
				node: join(folder, 'node_modules', 'node', 'bin', 'node'),
				env: {
					// Each refuses to start when it is told of modules that it does not know.
					N8N_DISABLED_MODULES: undefined,
					// In 1.x they are an option, with which `n8n execute` does not end.
					...(n8n.startsWith('1.') && { N8N_RUNNERS_ENABLED: 'false' }),
				},
			};
		},
	};
}
