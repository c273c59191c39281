// Reads a workflow's executions through the interface that n8n's own screens use.
import { createRequire } from 'node:module';

import type { INodeExecutionData } from 'n8n-workflow';

import { waitUntilDefined } from './waitUntilDefined.mts';
import { ensureN8nInstalled } from './install.mts';
import type { N8nSession } from './fullN8n.mts';

export interface ExecutionSummary {
	id: string;
	status: string;
	/** How it began; `error` for one of an error trigger. */
	mode: string;
	/** ISO 8601. */
	createdAt: string;
	stoppedAt: string;
}

const unfinishedStatuses = ['new', 'running'];

/** @returns the executions of a workflow, the newest first */
export async function executionsOfWorkflow(
	session: N8nSession,
	workflow: string,
): Promise<ExecutionSummary[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
	const path = `/executions?filter=${filter}&limit=100`;
	return ((await session.get(path)) as { results: ExecutionSummary[] }).results;
}

/**
 * Waits until a workflow has this many executions and all of them have ended.
 * @param ofErrorTrigger true counts the executions of its error trigger, false all others
 * @returns the executions, the newest first
 */
export const waitForExecutions = (
	session: N8nSession,
	workflow: string,
	count: number,
	ofErrorTrigger = false,
): Promise<ExecutionSummary[]> =>
	waitUntilDefined(async () => {
		const all = (await executionsOfWorkflow(session, workflow)).filter(
			({ mode }) => (mode === 'error') === ofErrorTrigger,
		);
		const isOver =
			all.length === count && all.every(({ status }) => !unfinishedStatuses.includes(status));
		return isOver ? all : undefined;
	}, `${count} executions to end`);

/** The part of a saved execution that is read here. */
interface Saved {
	resultData: {
		error?: { message: string; description?: string | null };
		runData: Record<string, Array<{ data?: { main: INodeExecutionData[][] } }>>;
	};
}

async function saved(session: N8nSession, execution: string): Promise<Saved> {
	const { data } = (await session.get(`/executions/${execution}`)) as { data: string };
	// n8n saves executions with the library flatted.
	const { parse } = createRequire(await ensureN8nInstalled())('flatted') as {
		parse: (text: string) => Saved;
	};
	return parse(data);
}

/** @returns the items at a node's first output */
export async function outputOfNode(
	session: N8nSession,
	execution: string,
	node: string,
): Promise<INodeExecutionData[]> {
	const { runData } = (await saved(session, execution)).resultData;
	return runData[node]?.[0]?.data?.main[0] ?? [];
}

/** @returns the error that ended an execution, or undefined if there was none */
export async function errorOfExecution(
	session: N8nSession,
	execution: string,
): Promise<string | undefined> {
	const { error } = (await saved(session, execution)).resultData;
	return error && [error.message, error.description].join('\n');
}
