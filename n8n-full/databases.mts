// Starts Redis and PostgreSQL for n8n's queue mode, on loopback, each with its own folder.
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { ProcessGroup } from './processGroup.mts';

/** Debian does not put PostgreSQL's programs on the PATH. */
const programFolders = [
	...(process.env.PATH ?? '').split(delimiter),
	...globSync('/usr/lib/postgresql/*/bin'),
];

/** @throws Error that says what to install */
function findProgram(name: string): string {
	const path = programFolders.map((folder) => join(folder, name)).find(existsSync);
	if (path) return path;
	throw new Error(
		`There is no ${name} on this machine. n8n's queue mode needs Redis and PostgreSQL; ` +
			'on Debian or Ubuntu: apt-get install redis-server postgresql',
	);
}

const run = promisify(execFile);

const succeeds = (command: string, args: string[]): Promise<boolean> =>
	run(command, args).then(
		() => true,
		() => false,
	);

/** PostgreSQL refuses to run as root, so root runs it as the user postgres. */
function postgresUser(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

export class Redis {
	private readonly port: string;
	private readonly args: readonly string[];
	private processGroup?: ProcessGroup;

	/**
	 * @param folder where it keeps its data
	 * @param port the port on 127.0.0.1
	 * @param flags more command-line flags, such as `--appendonly yes`
	 */
	constructor(folder: string, port: number, flags: readonly string[]) {
		this.port = String(port);
		this.args = [...flags, '--port', this.port, '--bind', '127.0.0.1', '--dir', folder];
	}

	/**
	 * Starts Redis with the data of its folder, and waits until it responds.
	 * @throws Error that says what to install, or why it did not start
	 */
	async start(): Promise<void> {
		const [server, client] = [findProgram('redis-server'), findProgram('redis-cli')];
		this.processGroup = new ProcessGroup(server, this.args);
		await this.processGroup.ready(() => succeeds(client, ['-p', this.port, 'ping']));
	}

	async stop(): Promise<void> {
		await this.processGroup?.stop();
	}
}

/** A PostgreSQL with its own folder, which is removed with it. It trusts connections from this machine. */
export interface TemporaryPostgres {
	/** What n8n's credential for PostgreSQL needs. */
	account: Record<'host' | 'database' | 'user' | 'password' | 'ssl', string> & { port: number };
	/**
	 * Runs SQL.
	 * @returns its output without column names, a line for each row
	 * @throws Error with PostgreSQL's message
	 */
	query: (sql: string) => Promise<string>;
	stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL with only the empty database `postgres`, and waits until it responds.
 * @param port the port on 127.0.0.1
 * @throws Error that says what to install, or why it did not start
 */
export async function openTemporaryPostgres(port: number): Promise<TemporaryPostgres> {
	const [initdb, server, isReady, psql] = ['initdb', 'postgres', 'pg_isready', 'psql'].map(
		findProgram,
	);
	const folder = mkdtempSync(join(tmpdir(), 'agency-postgres-'));
	const [host, database, user] = ['127.0.0.1', 'postgres', 'n8n'];
	const system = postgresUser();
	if (system.uid !== undefined) chownSync(folder, system.uid, system.gid!);
	const options = { ...system, cwd: folder };
	const data = join(folder, 'data');
	const cluster = ['--auth=trust', '--encoding=UTF8', '--locale=C', `--username=${user}`];
	await run(initdb!, [...cluster, '-D', data], options);
	const where = ['-h', host, '-p', String(port)];
	const processGroup = new ProcessGroup(server!, ['-D', data, '-k', folder, ...where], options);
	await processGroup.ready(() => succeeds(isReady!, where));
	const flags = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '-v', 'ON_ERROR_STOP=1'];
	return {
		account: { host, port, database, user, password: 'none is asked for', ssl: 'disable' },
		async query(sql) {
			const asked = [...where, '-U', user, '-d', database, ...flags, '-c', sql];
			return (await run(psql!, asked, { maxBuffer: 1e9 })).stdout.trimEnd();
		},
		async stop() {
			// On SIGTERM, PostgreSQL would wait until its clients disconnect.
			await processGroup.stop('SIGINT');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
