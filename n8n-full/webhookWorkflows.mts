// Publishes workflows that start with a webhook in a running n8n, and creates the credentials they use.
import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, INodeParameters, OnError } from 'n8n-workflow';

import { workflowOf, type Step } from '../n8n-in-process/workflow.mts';

import { createWorkflow } from './workflows.mts';
import type { N8nSession } from './fullN8n.mts';

/** A published workflow that starts on a POST to its address. */
export interface WebhookWorkflow {
	id: string;
	post: (body: RequestInit) => Promise<void>;
}

/** Publishes a workflow of a webhook and these steps. */
export async function publishWebhookWorkflow(
	session: N8nSession,
	...steps: Step[]
): Promise<WebhookWorkflow> {
	const path = randomUUID();
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path },
		webhookId: path,
	};
	const id = await createWorkflow(session, workflowOf(path, [webhook, ...steps]));
	await session.publish(id);
	const url = `${session.n8n.url}/webhook/${path}`;
	return {
		id,
		async post(body) {
			const response = await fetch(url, { method: 'POST', ...body });
			if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
		},
	};
}

/** @returns the ID of the credential */
export async function createCredential(
	session: N8nSession,
	data: ICredentialDataDecryptedObject,
): Promise<string> {
	const credential = { name: 'Agency Records', type: 'agencyRecordsApi', data };
	return ((await session.post('/credentials', credential)) as { id: string }).id;
}

/** The name of the step that agencyStep() returns. */
export const agencyStepName = 'Step';

/**
 * Returns a step with a node of this package.
 * @param credential the ID of the credential
 */
export const agencyStep = (
	credential: string,
	type: string,
	parameters: INodeParameters,
): Step => ({
	name: agencyStepName,
	type: `n8n-nodes-agency-records.${type}`,
	parameters,
	credentials: { agencyRecordsApi: { id: credential, name: credential } },
});

export interface CreateWorkflow {
	id: string;
	/** Starts an execution that creates a record with each of these names. */
	startExecution: (names: readonly string[]) => Promise<void>;
}

/** Start and end of each shift. */
const aDay = { fromDate: '2026-03-02T07:00:00-05:00', toDate: '2026-03-03T07:00:00-05:00' };

/** The nodes that can create a shift schedule from a row's name. */
const creatingNodes = {
	agencyShiftSchedules: { specifyFields: 'inputItem' },
	agencyRecordsRequest: {
		operation: 'post',
		path: '/agencyshiftschedules/shiftschedules',
		body: '={{ $json }}',
	},
} satisfies Record<string, INodeParameters>;
export type CreatingNode = keyof typeof creatingNodes;

/**
 * Publishes a workflow that creates shift schedules.
 * @param options the node's options
 */
export async function publishCreateWorkflow(
	session: N8nSession,
	credential: string,
	options: INodeParameters = {},
	onError: OnError = 'stopWorkflow',
	type: CreatingNode = 'agencyShiftSchedules',
): Promise<CreateWorkflow> {
	const rows: Step = {
		name: 'Rows',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.rows', options: {} },
	};
	const step = agencyStep(credential, type, { ...creatingNodes[type], options });
	const { id, post } = await publishWebhookWorkflow(session, rows, { ...step, onError });
	return {
		id,
		startExecution: (names) =>
			post({
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ rows: names.map((name) => ({ ...aDay, name })) }),
			}),
	};
}
