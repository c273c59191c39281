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

/** What a node gave in an execution, by its first output. */
export async function outputOf(
	session: Session,
	execution: string,
	node: string,
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
	return parse(data).resultData.runData[node]?.[0]?.data?.main[0] ?? [];
}
