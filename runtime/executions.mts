// What became of a workflow's executions, as n8n's own screens read it.
import { createRequire } from 'node:module';

import type { INodeExecutionData } from 'n8n-workflow';

import { eventually } from './eventually.mts';
import { ensureRuntime } from './install.mts';
import type { Session } from './n8n.mts';

export interface Execution {
	id: string;
	status: string;
	/** ISO 8601. */
	createdAt: string;
	stoppedAt: string;
}

const runs = ['new', 'running'];

/** Those of a workflow, the newest first. */
export async function executionsOf(session: Session, workflow: string): Promise<Execution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
	const path = `/executions?filter=${filter}&limit=100`;
	return ((await session.get(path)) as { results: Execution[] }).results;
}

/** The executions of a workflow, once there are so many and all have ended. */
export const endsOf = (session: Session, workflow: string, count: number): Promise<Execution[]> =>
	eventually(async () => {
		const all = await executionsOf(session, workflow);
		const isOver = all.length === count && all.every(({ status }) => !runs.includes(status));
		return isOver ? all : undefined;
	}, `${count} executions to end`);

/** What n8n saves of an execution, as far as it is read here. */
interface Saved {
	resultData: {
		error?: { message: string; description?: string | null };
		runData: Record<string, Array<{ data?: { main: INodeExecutionData[][] } }>>;
	};
}

async function saved(session: Session, execution: string): Promise<Saved> {
	const { data } = (await session.get(`/executions/${execution}`)) as { data: string };
	// n8n writes them in a form of its own.
	const { parse } = createRequire(await ensureRuntime())('flatted') as {
		parse: (text: string) => Saved;
	};
	return parse(data);
}

/** What a node gave in an execution, by its first output. */
export async function outputOf(
	session: Session,
	execution: string,
	node: string,
): Promise<INodeExecutionData[]> {
	const { runData } = (await saved(session, execution)).resultData;
	return runData[node]?.[0]?.data?.main[0] ?? [];
}

/** What ended an execution, if anything did. */
export async function errorOf(session: Session, execution: string): Promise<string | undefined> {
	const { error } = (await saved(session, execution)).resultData;
	return error && [error.message, error.description].join('\n');
}
