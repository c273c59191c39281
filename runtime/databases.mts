// Redis and PostgreSQL as n8n's queue mode needs them: on loopback, each in a folder of its own.
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, chownSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { Program } from './program.mts';

/** Debian keeps PostgreSQL's programs out of the PATH. */
const folders = [
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
function executable(name: string): string {
	const path = folders.map((folder) => join(folder, name)).find(isExecutable);
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

/** PostgreSQL refuses to run as root. */
function postgresUser(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

export class Redis {
	private readonly port: string;
	private readonly args: readonly string[];
	private program?: Program;

	/**
	 * @param folder its data goes there
	 * @param port on 127.0.0.1
	 * @param flags such as `--appendonly yes`
	 */
	constructor(folder: string, port: number, flags: readonly string[]) {
		this.port = String(port);
		this.args = [...flags, '--port', this.port, '--bind', '127.0.0.1', '--dir', folder];
	}

	/**
	 * Starts it with the data it had, and waits until it answers.
	 * @throws Error that says what to install, or why it did not start
	 */
	async start(): Promise<void> {
		const [server, client] = [executable('redis-server'), executable('redis-cli')];
		this.program = new Program(server, this.args);
		await this.program.ready(() => succeeds(client, ['-p', this.port, 'ping']));
	}

	async stop(): Promise<void> {
		await this.program?.stop();
	}
}

/** Owner of the databases; no password is asked on this machine. */
export const postgresOwner = 'n8n';

/**
 * Starts PostgreSQL with nothing in it but the database `postgres`, and waits until it answers.
 * @param folder empty, in one that others may pass
 * @param port on 127.0.0.1
 * @returns a function that stops it
 * @throws Error that says what to install, or why it did not start
 */
export async function startPostgres(folder: string, port: number): Promise<() => Promise<void>> {
	const [initdb, server, client] = ['initdb', 'postgres', 'pg_isready'].map(executable);
	const user = postgresUser();
	if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
	const options = { ...user, cwd: folder };
	const cluster = ['--auth=trust', '--encoding=UTF8', '--locale=C', `--username=${postgresOwner}`];
	await run(initdb!, [...cluster, '-D', folder], options);
	const where = ['-h', '127.0.0.1', '-p', String(port)];
	const program = new Program(server!, ['-D', folder, '-k', folder, ...where], options);
	await program.ready(() => succeeds(client!, where));
	// SIGTERM would wait for its clients.
	return () => program.stop('SIGINT');
}
