// Reads a workflow's executions through the API that n8n's own screens use.
import type { INodeExecutionData } from 'n8n-workflow';

import { waitUntilDefined } from './waitUntilDefined.mts';
import { hasEnded, type N8nSession } from './fullN8n.mts';

export interface ExecutionSummary {
	id: string;
	status: string;
	/** How it was started; `error` if by an error trigger. */
	mode: string;
	/** ISO 8601. */
	createdAt: string;
	stoppedAt: string;
}

/**
 * Every status. Without this filter, n8n lists running and finished executions with two queries, and misses one that ends
 * between them.
 */
const anyStatus = ['new', 'running', 'waiting', 'success', 'error', 'crashed', 'canceled'];

/** @returns the executions of a workflow, the newest first */
export async function executionsOfWorkflow(
	session: N8nSession,
	workflow: string,
): Promise<ExecutionSummary[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow, status: anyStatus }));
	const path = `/executions?filter=${filter}&limit=100`;
	return ((await session.get(path)) as { results: ExecutionSummary[] }).results;
}

/**
 * Waits until a workflow has this many executions and all of them have ended.
 * @param ofErrorTrigger whether to count the executions started by its error trigger, or all others
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
		const isOver = all.length === count && all.every(({ status }) => hasEnded(status));
		return isOver ? all : undefined;
	}, `${count} executions to end`);

interface NodeRun {
	data?: { main: Array<INodeExecutionData[] | null> };
	hints?: Array<{ message: string }>;
}

/** The part of a saved execution that is read here. */
interface Saved {
	error?: { message: string; description?: string | null };
	runData: Record<string, NodeRun[]>;
}

async function saved(session: N8nSession, execution: string): Promise<Saved> {
	const { data } = (await session.get(`/executions/${execution}`)) as { data: string };
	return (session.n8n.parse(data) as { resultData: Saved }).resultData;
}

/** @returns the items at each of a node's outputs */
export async function outputsOfNode(
	session: N8nSession,
	execution: string,
	node: string,
): Promise<INodeExecutionData[][]> {
	const { runData } = await saved(session, execution);
	return (runData[node]?.[0]?.data?.main ?? []).map((items) => items ?? []);
}

/** @returns the hints above a node's output */
export async function hintsOfNode(
	session: N8nSession,
	execution: string,
	node: string,
): Promise<string[]> {
	const { runData } = await saved(session, execution);
	return (runData[node]?.[0]?.hints ?? []).map(({ message }) => message);
}

/** @returns the items at a node's first output */
export const outputOfNode = async (...of: Parameters<typeof outputsOfNode>) =>
	(await outputsOfNode(...of))[0] ?? [];

/**
 * Waits until an execution has ended with a status.
 * @returns its ID
 * @throws Error with the execution's own error, if it ends with another status
 */
export async function requireEnd(
	session: N8nSession,
	execution: string,
	status = 'success',
): Promise<string> {
	const actual = await session.endOf(execution);
	if (actual === status) return execution;
	throw new Error(`${actual}, not ${status}: ${await errorOfExecution(session, execution)}`);
}

/** @returns the error that ended an execution, or undefined if there was none */
export async function errorOfExecution(
	session: N8nSession,
	execution: string,
): Promise<string | undefined> {
	const { error } = await saved(session, execution);
	return error && [error.message, error.description].join('\n');
}
