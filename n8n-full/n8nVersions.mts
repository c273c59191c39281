// The versions of n8n in which the package is tried, each with the version of Node.js that it needs.
import { join } from 'node:path';

import {
	ensureN8nInstalled,
	n8nExecutableIn,
	installPackages,
	readRuntimeFile,
} from './install.mts';

/** An n8n that is installed on this machine. */
export interface N8nInstallation {
	executable: string;
	/** The path of the Node.js that runs it; by default the one that runs this process. */
	node?: string;
	/** Environment variables beyond those of all versions; undefined removes one. */
	env?: Record<string, string | undefined>;
}

export interface TriedVersion {
	n8n: string;
	node: string;
	ensure: () => Promise<N8nInstallation>;
}

/** The newest version that does not load the package, of those whose dependencies can still be installed. */
export const newestUnsupported = npmVersion('1.82.3', '20.20.2', { xlsx: '0.18.5' });

const { dependencies } = JSON.parse(readRuntimeFile('package.json')) as {
	dependencies: { n8n: string };
};

/** The supported versions, the oldest first. */
const supported: readonly TriedVersion[] = [
	npmVersion('1.85.4', '20.20.2', { xlsx: '0.18.5' }),
	npmVersion('1.123.81', '22.23.3', { xlsx: '0.18.5', linkedom: '0.18.12' }),
	npmVersion('2.8.4', '24.21.0', { xlsx: '0.18.5', linkedom: '0.18.12' }),
	{
		n8n: dependencies.n8n,
		node: process.versions.node,
		ensure: async () => ({ executable: await ensureN8nInstalled() }),
	},
];

/** A version to try instead of the supported ones, such as `2.45.0` or `latest`. */
export const requestedVersion = process.env.N8N_TRY;

export const triedVersions = requestedVersion
	? [npmVersion(requestedVersion, process.versions.node, {})]
	: supported;

/**
 * A version as it was published to npm.
 * @param overrides versions for dependencies that the registry no longer holds in the version that n8n names
 */
function npmVersion(n8n: string, node: string, overrides: Record<string, string>): TriedVersion {
	const manifest = { private: true, dependencies: { n8n, node }, overrides };
	return {
		n8n,
		node,
		async ensure() {
			const folder = await installPackages(
				`n8n-${n8n}`,
				{ '.npmrc': readRuntimeFile('.npmrc'), 'package.json': JSON.stringify(manifest) },
				'install',
				{ 'node-js': 'node', 'database-driver': 'sqlite3' },
			);
			return {
				executable: n8nExecutableIn(folder),
				node: join(folder, 'node_modules', 'node', 'bin', 'node'),
				env: {
					// n8n refuses to start when this names modules that it does not have.
					N8N_DISABLED_MODULES: undefined,
					// In 1.x task runners are optional, and with them `n8n execute` does not end.
					...(n8n.startsWith('1.') && { N8N_RUNNERS_ENABLED: 'false' }),
				},
			};
		},
	};
}
