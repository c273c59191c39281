// Starts n8n in queue mode as docs/compose.yaml describes it, but as processes of this machine: Redis, PostgreSQL, a
// main process and workers, each with this package installed from its tarball.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { openTemporaryPostgres, Redis } from './databases.mts';
import { ensureN8nInstalled } from './install.mts';
import { FullN8n, packPackage, type N8nSession } from './fullN8n.mts';
import type { ProcessGroup } from './processGroup.mts';
import { n8nOwner } from './n8nWithSandbox.mts';

interface ComposeService {
	command: string;
	environment?: Record<string, string>;
}

const composeFile = join(import.meta.dirname, '..', 'docs', 'compose.yaml');
export const { services: composeServices } = parse(readFileSync(composeFile, 'utf8'), {
	merge: true,
}) as {
	services: Record<'main' | 'worker' | 'redis', ComposeService>;
};

/** The values that the compose file itself sets. Those that begin with `${…}` are set by its users. */
const environmentOf = ({ environment = {} }: ComposeService): Record<string, string> =>
	Object.fromEntries(Object.entries(environment).filter(([, value]) => !value.startsWith('$')));

/** Dead processes are noticed within seconds instead of minutes or hours. In milliseconds, the recovery in minutes. */
const shortIntervals = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '4000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '2',
};

/** One n8n process, which can be stopped and started again. */
export class QueueModeProcess {
	/** Everything it has printed since it was first started. */
	output = '';
	readonly n8n: FullN8n;
	private readonly command: readonly string[];
	private processGroup?: ProcessGroup;

	/** @param command the n8n command that it runs, such as `worker` */
	constructor(n8n: FullN8n, command: readonly string[]) {
		this.n8n = n8n;
		this.command = command;
	}

	/** @throws Error when the process does not start */
	async start(): Promise<void> {
		this.processGroup = await this.n8n.launch(this.command, (text) => (this.output += text));
	}

	/** Sends a signal, SIGTERM by default, and waits until the process has ended. */
	async stop(signal?: NodeJS.Signals): Promise<void> {
		await this.processGroup?.stop(signal);
	}

	/** Whether this is the worker that started an execution. */
	ranExecution(executionId: string): boolean {
		return this.output.includes(`Worker started execution ${executionId} `);
	}
}

export interface QueueModeN8n {
	workers: QueueModeProcess[];
	redis: Redis;
	/** A session at the main process, signed in. */
	session: N8nSession;
	close: () => Promise<void>;
}

/**
 * @param port the first port on 127.0.0.1 that is used; each process takes two
 * @throws Error that says what to install, or why a process did not start. Started processes are ended first
 */
export async function startQueueMode(port: number, workerCount = 2): Promise<QueueModeN8n> {
	const executable = await ensureN8nInstalled();
	await using opening = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'agency-queue-'));
	opening.defer(() => rmSync(folder, { recursive: true, force: true }));
	const subfolder = (name: string): string => {
		const path = join(folder, name);
		mkdirSync(path);
		return path;
	};
	let next = port;
	const nextPort = (): number => (next += 2) - 2;
	const [redisPort, postgresPort] = [nextPort(), nextPort()];

	const [, ...flags] = composeServices.redis.command.split(' ');
	const redis = new Redis(subfolder('redis'), redisPort, flags);
	opening.defer(() => redis.stop());
	await redis.start();
	const postgres = await openTemporaryPostgres(postgresPort);
	opening.defer(postgres.stop);

	const tarball = await packPackage(join(folder, 'packed'));
	const startN8nProcess = async (name: string, service: ComposeService) => {
		const ownPort = nextPort();
		const n8n = new FullN8n(executable, subfolder(name), ownPort, {
			...environmentOf(service),
			DB_POSTGRESDB_HOST: postgres.account.host,
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: postgres.account.database,
			DB_POSTGRESDB_USER: postgres.account.user,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			N8N_LOG_LEVEL: 'info',
			...shortIntervals,
			QUEUE_HEALTH_CHECK_PORT: String(ownPort),
		});
		await n8n.install(tarball);
		const n8nProcess = new QueueModeProcess(n8n, service.command.split(' '));
		opening.defer(() => n8nProcess.stop('SIGKILL'));
		await n8nProcess.start();
		return n8nProcess;
	};
	// The main process starts before the workers, because it creates the tables.
	const main = await startN8nProcess('main', composeServices.main);
	const workers = await Promise.all(
		Array.from({ length: workerCount }, (_, index) =>
			startN8nProcess(`worker${index}`, composeServices.worker),
		),
	);
	const session = await main.n8n.session(n8nOwner);
	const opened = opening.move();
	return { workers, redis, session, close: () => opened.disposeAsync() };
}
