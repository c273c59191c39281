// Starts Redis and PostgreSQL for n8n's queue mode, on loopback and each with a folder of its own.
import { execFile, execFileSync } from 'node:child_process';
import {
	accessSync,
	chmodSync,
	chownSync,
	constants,
	globSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { ProcessGroup } from './processGroup.mts';

/** Debian does not put PostgreSQL's programs on the PATH. */
const programFolders = [
	...(process.env.PATH ?? '').split(delimiter),
	...globSync('/usr/lib/postgresql/*/bin'),
];

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** @throws Error that says what to install */
function findProgram(name: string): string {
	const path = programFolders.map((folder) => join(folder, name)).find(isExecutable);
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
	 * Starts Redis with the data of its folder, and waits until it answers.
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

/** The user who owns the databases. PostgreSQL trusts connections of this machine without a password. */
export const postgresOwner = 'n8n';

/**
 * Starts PostgreSQL with only the empty database `postgres`, and waits until it answers.
 * @param folder an empty folder, inside one that other users may enter
 * @param port the port on 127.0.0.1
 * @returns a function that stops it
 * @throws Error that says what to install, or why it did not start
 */
export async function startPostgres(folder: string, port: number): Promise<() => Promise<void>> {
	const [initdb, server, client] = ['initdb', 'postgres', 'pg_isready'].map(findProgram);
	const user = postgresUser();
	if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
	const options = { ...user, cwd: folder };
	const cluster = ['--auth=trust', '--encoding=UTF8', '--locale=C', `--username=${postgresOwner}`];
	await run(initdb!, [...cluster, '-D', folder], options);
	const where = ['-h', '127.0.0.1', '-p', String(port)];
	const processGroup = new ProcessGroup(server!, ['-D', folder, '-k', folder, ...where], options);
	await processGroup.ready(() => succeeds(client!, where));
	// On SIGTERM, PostgreSQL would wait until its clients disconnect.
	return () => processGroup.stop('SIGINT');
}

/**
 * Runs SQL in a database that startPostgres() has started.
 * @returns what it gives, without names of columns; a line for each row
 * @throws Error with what PostgreSQL says
 */
export async function queryPostgres(port: number, sql: string): Promise<string> {
	const where = ['-h', '127.0.0.1', '-p', String(port), '-U', postgresOwner, '-d', 'postgres'];
	const flags = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '-v', 'ON_ERROR_STOP=1'];
	const { stdout } = await run(findProgram('psql'), [...where, ...flags, '-c', sql], {
		maxBuffer: 1e9,
	});
	return stdout.trimEnd();
}

/** A PostgreSQL with a folder of its own, which goes with it. */
export interface TemporaryPostgres {
	/** What n8n's credential for PostgreSQL needs. */
	account: Record<'host' | 'database' | 'user' | 'password' | 'ssl', string> & { port: number };
	/** As queryPostgres(). */
	query: (sql: string) => Promise<string>;
	stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL with only the empty database `postgres`, in a temporary folder.
 * @param port the port on 127.0.0.1
 */
export async function openTemporaryPostgres(port: number): Promise<TemporaryPostgres> {
	const folder = mkdtempSync(join(tmpdir(), 'agency-postgres-'));
	// PostgreSQL may run as another user, who must be able to enter the folder.
	chmodSync(folder, 0o711);
	const data = join(folder, 'data');
	mkdirSync(data);
	const stop = await startPostgres(data, port);
	return {
		account: {
			host: '127.0.0.1',
			port,
			database: 'postgres',
			user: postgresOwner,
			password: 'none is asked for',
			ssl: 'disable',
		},
		query: (sql) => queryPostgres(port, sql),
		async stop() {
			await stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
