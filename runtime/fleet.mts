// n8n in queue mode as docs/compose.yaml has it, in processes of this machine: Redis, PostgreSQL, a main process and
// workers, our packed tarball in the home of each.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { postgresOwner, Redis, startPostgres } from './databases.mts';
import { ensureRuntime } from './install.mts';
import { FullN8n, pack, type Session } from './n8n.mts';
import type { Program } from './program.mts';
import { owner } from './station.mts';

interface Service {
	command: string;
	environment?: Record<string, string>;
}

const composeFile = join(import.meta.dirname, '..', 'docs', 'compose.yaml');
export const { services } = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
	services: Record<'main' | 'worker' | 'redis', Service>;
};

/** What the file itself says; texts with `${…}` are left to those who use it. */
const environmentOf = ({ environment = {} }: Service): Record<string, string> =>
	Object.fromEntries(Object.entries(environment).filter(([, value]) => !value.startsWith('$')));

/** What is dead is noticed after seconds instead of minutes, or hours. Milliseconds, and minutes. */
const impatience = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '4000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '2',
};

/** One process of n8n. */
export class Member {
	/** What it has printed so far, over all its lives. */
	output = '';
	readonly n8n: FullN8n;
	private readonly command: readonly string[];
	private program?: Program;

	/** @param command what n8n is told to be */
	constructor(n8n: FullN8n, command: readonly string[]) {
		this.n8n = n8n;
		this.command = command;
	}

	/** @throws Error when it does not start */
	async start(): Promise<void> {
		this.program = await this.n8n.launch(this.command, (text) => (this.output += text));
	}

	/** Asks it to end, or ends it by force, and waits for that. */
	async stop(signal?: NodeJS.Signals): Promise<void> {
		await this.program?.stop(signal);
	}

	/** Whether it is a worker that began an execution. */
	ran(executionId: string): boolean {
		return this.output.includes(`Worker started execution ${executionId} `);
	}
}

export interface Fleet {
	main: Member;
	workers: Member[];
	redis: Redis;
	/** Signed in at the main process. */
	session: Session;
	close: () => Promise<void>;
}

/**
 * @param port the first of those on 127.0.0.1 that are used, two for each program
 * @throws Error that says what to install, or why something did not start; all is ended then
 */
export async function openFleet(port: number, workerCount = 2): Promise<Fleet> {
	const executable = await ensureRuntime();
	const folder = mkdtempSync(join(tmpdir(), 'agency-queue-'));
	// PostgreSQL may be another user's.
	chmodSync(folder, 0o711);
	const subfolder = (name: string): string => {
		const path = join(folder, name);
		mkdirSync(path);
		return path;
	};
	const endings: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })];
	const close = async () => {
		for (const end of endings.splice(0).reverse()) await end();
	};
	let next = port;
	const nextPort = (): number => (next += 2) - 2;
	const [redisPort, postgresPort] = [nextPort(), nextPort()];
	const here = {
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: postgresOwner,
		N8N_LOG_LEVEL: 'info',
		...impatience,
	};

	try {
		const [, ...flags] = services.redis.command.split(' ');
		const redis = new Redis(subfolder('redis'), redisPort, flags);
		endings.push(() => redis.stop());
		await redis.start();
		endings.push(await startPostgres(subfolder('postgres'), postgresPort));

		const tarball = await pack(join(folder, 'packed'));
		const member = async (name: string, service: Service): Promise<Member> => {
			const own = nextPort();
			const n8n = new FullN8n(executable, subfolder(name), own, {
				...environmentOf(service),
				...here,
				QUEUE_HEALTH_CHECK_PORT: String(own),
			});
			await n8n.install(tarball);
			const started = new Member(n8n, service.command.split(' '));
			endings.push(() => started.stop('SIGKILL'));
			await started.start();
			return started;
		};
		// Alone: it makes the tables.
		const main = await member('main', services.main);
		const workers = await Promise.all(
			Array.from({ length: workerCount }, (_, index) => member(`worker${index}`, services.worker)),
		);
		return { main, workers, redis, session: await main.n8n.session(owner), close };
	} catch (error) {
		await close();
		throw error;
	}
}
