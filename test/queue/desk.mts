// What the cases share: a service of their own with an account at it, workflows that create records there, and what
// became of their executions.
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import type { Fleet } from '../../runtime/fleet.mts';
import { ensureRuntime } from '../../runtime/install.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

/** Asks again until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await delay(100);
	}
}

export interface Desk {
	sandbox: Sandbox;
	/** ID of the credential, which no process has used yet. */
	credential: string;
	/** How often an operation was asked for. */
	arrivals: (operation: string) => number;
	/** Waits until an operation was asked for so often. */
	arrived: (operation: string, times: number) => Promise<void>;
	/** How often each of these names is in the books. */
	books: (names: readonly string[]) => number[];
}

/** Opens a service, until the test has ended, and an account at it. */
export async function openDesk(
	t: TestContext,
	{ session }: Fleet,
	options: SandboxOptions = {},
): Promise<Desk> {
	const arrivals = new Map<string, number>();
	const waiting: Array<() => void> = [];
	const sandbox = await startSandbox({
		...options,
		onArrival(operation) {
			arrivals.set(operation, (arrivals.get(operation) ?? 0) + 1);
			for (const look of waiting) look();
		},
	});
	t.after(() => sandbox.close());
	const { id } = (await session.post('/credentials', {
		name: t.name,
		type: 'agencyRecordsApi',
		data: sandboxCredential(sandbox.url, { grantType: 'password' }),
	})) as { id: string };
	const count = (operation: string) => arrivals.get(operation) ?? 0;
	return {
		sandbox,
		credential: id,
		arrivals: count,
		arrived: (operation, times) =>
			new Promise((resolve) => {
				waiting.push(() => count(operation) >= times && resolve());
			}),
		books(names) {
			const found = new Map(names.map((name) => [name, 0]));
			for (const { data } of sandbox.store.list('shiftSchedule').rows) {
				const name = data.name as string;
				if (found.has(name)) found.set(name, found.get(name)! + 1);
			}
			return [...found.values()];
		},
	};
}

/** Names that no other row of the case has. */
export const namesOf = (execution: number | string, count: number): string[] =>
	Array.from({ length: count }, (_, row) => `execution ${execution}, row ${row}`);

interface Step {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
	credentials?: object;
	onError?: string;
}

/** A published workflow, begun by a POST to its address. */
export interface Service {
	id: string;
	post: (body: RequestInit) => Promise<void>;
}

/** Publishes steps that follow on a webhook. */
export async function publish({ session, main }: Fleet, ...steps: Step[]): Promise<Service> {
	const path = crypto.randomUUID();
	const nodes = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path },
			webhookId: path,
		},
		...steps,
	].map((node, index) => ({ ...node, id: String(index), position: [200 * index, 0] }));
	const connections = Object.fromEntries(
		steps.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]),
	);
	const { id, versionId } = (await session.post('/workflows', {
		name: path,
		nodes,
		connections,
	})) as Record<'id' | 'versionId', string>;
	await session.post(`/workflows/${id}/activate`, { versionId });
	const url = `${main.n8n.url}/webhook/${path}`;
	// It is answered 404 until the main process has it.
	const send = (body: RequestInit) =>
		eventually(async () => {
			const { ok } = await fetch(url, { method: 'POST', ...body });
			return ok || undefined;
		}, `${url} to be there`);
	return { id, post: async (body) => void (await send(body)) };
}

const nodeName = 'Node';

/** A node of this package that uses the account. */
export const stepAt = (desk: Desk, type: string, parameters: INodeParameters): Step => ({
	name: nodeName,
	type: `n8n-nodes-agency-records.${type}`,
	typeVersion: 1,
	parameters,
	credentials: { agencyRecordsApi: { id: desk.credential, name: desk.credential } },
});

export interface Creates {
	id: string;
	/** Begins an execution that creates a record with each of these names. */
	begin: (names: readonly string[]) => Promise<void>;
}

/**
 * Publishes a workflow that creates records.
 * @param options of the node
 */
export async function publishCreates(
	fleet: Fleet,
	desk: Desk,
	options: INodeParameters = {},
	onError = 'stopWorkflow',
): Promise<Creates> {
	const rows: Step = {
		name: 'Rows',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'body.rows', options: {} },
	};
	const parameters = { specifyFields: 'inputItem', options };
	const node = { ...stepAt(desk, 'agencyShiftSchedules', parameters), onError };
	const { id, post } = await publish(fleet, rows, node);
	return {
		id,
		begin: (names) =>
			post({
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ rows: names.map((name) => ({ name })) }),
			}),
	};
}

export interface Execution {
	id: string;
	status: string;
	/** ISO 8601. */
	startedAt: string;
	stoppedAt: string;
}

const runs = ['new', 'running'];

/** Those of a workflow, the newest first. */
export async function executionsOf({ session }: Fleet, workflow: string): Promise<Execution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
	const path = `/executions?filter=${filter}&limit=100`;
	return ((await session.get(path)) as { results: Execution[] }).results;
}

/** The executions of a workflow, once there are so many and all have ended. */
export const endsOf = (fleet: Fleet, workflow: string, count: number): Promise<Execution[]> =>
	eventually(async () => {
		const all = await executionsOf(fleet, workflow);
		const isOver = all.length === count && all.every(({ status }) => !runs.includes(status));
		return isOver ? all : undefined;
	}, `${count} executions to end`);

/** What the node of stepAt() gave in an execution. */
export async function outputOf(
	{ session }: Fleet,
	execution: string,
): Promise<INodeExecutionData[]> {
	const { data } = (await session.get(`/executions/${execution}`)) as { data: string };
	// n8n writes them in a form of its own.
	const { parse } = createRequire(await ensureRuntime())('flatted') as {
		parse: (text: string) => {
			resultData: {
				runData: Record<string, Array<{ data?: { main: INodeExecutionData[][] } }>>;
			};
		};
	};
	return parse(data).resultData.runData[nodeName]?.[0]?.data?.main[0] ?? [];
}
