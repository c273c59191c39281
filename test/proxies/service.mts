// The sandbox as the service behind a proxy: it can be restarted, and records its writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { RecordData, RecordStore } from '../../sandbox/recordStore.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { freePort } from './proxies.mts';

/** The name of a write in the books: a new record by its name, any other by its ID. */
const writes = {
	insert: (data: RecordData) => String(data.name ?? data.fileName),
	update: String,
	archive: String,
};

export class Service {
	/** How often each write was done, such as `insert shiftSchedule row 3`. */
	readonly books = new Map<string, number>();
	/** How many requests of the operation have arrived. */
	private arrived = 0;
	private sandbox!: Sandbox;
	private readonly folder = mkdtempSync(join(tmpdir(), 'agency-service-'));

	readonly port: number;
	private readonly operation: string;

	private constructor(port: number, operation: string) {
		this.port = port;
		this.operation = operation;
	}

	/** @param operation the `operationId` of the requests that are struck by faults, and counted */
	static async start(operation: string): Promise<Service> {
		const service = new Service(await freePort(), operation);
		await service.launch();
		return service;
	}

	private async launch(): Promise<void> {
		this.sandbox = await startSandbox({
			port: this.port,
			data: join(this.folder, 'records'),
			onArrival: (operation) => void (this.arrived += operation === this.operation ? 1 : 0),
		});
		this.keepBooks(this.sandbox.records);
	}

	private keepBooks(records: RecordStore): void {
		for (const [name, nameOf] of Object.entries(writes)) {
			const method = name as keyof typeof writes;
			const write = records[method].bind(records) as (...values: unknown[]) => never;
			const writeAndCount = (kind: string, subject: never, ...values: unknown[]) => {
				const result = write(kind, subject, ...values);
				const entry = `${method} ${kind} ${nameOf(subject)}`;
				this.books.set(entry, (this.books.get(entry) ?? 0) + 1);
				return result;
			};
			Object.assign(records, { [method]: writeAndCount });
		}
	}

	get records(): RecordStore {
		return this.sandbox.records;
	}

	/** From now on, PHP writes a notice before each response. */
	writeNotices(): void {
		this.sandbox.dialects.notice = 'php';
	}

	setFaults(rules: FaultRule[]): void {
		this.sandbox.faults.set(rules.map((rule) => ({ operation: this.operation, ...rule })));
	}

	/** Stops the service with all its connections, and restarts it with its records. */
	async restart(): Promise<void> {
		const { rules } = this.sandbox.faults;
		await this.sandbox.close();
		await delay(500);
		await this.launch();
		this.setFaults([...rules]);
	}

	/** Waits until this many more requests have arrived. */
	async moreRequests(count: number): Promise<void> {
		const enough = this.arrived + count;
		await waitUntilDefined(async () => this.arrived >= enough || undefined, 'the requests');
	}

	/** After that, the books do not change. */
	async stop(): Promise<void> {
		await this.sandbox.close();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
