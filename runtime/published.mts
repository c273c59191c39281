// Workflows that are published in a running n8n and begun by a POST, and the accounts they use.
import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { eventually } from './eventually.mts';
import type { Session } from './n8n.mts';

export interface Step {
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
export async function publish(session: Session, ...steps: Step[]): Promise<Service> {
	const path = randomUUID();
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
	const url = `${session.url}/webhook/${path}`;
	return {
		id,
		async post(body) {
			const answer = await eventually(async () => {
				const first = await fetch(url, { method: 'POST', ...body });
				// Publishing ends after it was answered.
				return first.status === 404 ? undefined : first;
			}, url);
			if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
		},
	};
}

/** @returns its ID */
export async function createCredential(
	session: Session,
	data: ICredentialDataDecryptedObject,
): Promise<string> {
	const credential = { name: 'Agency Records', type: 'agencyRecordsApi', data };
	return ((await session.post('/credentials', credential)) as { id: string }).id;
}

/** Name of the step that stepOf() makes. */
export const stepName = 'Step';

/**
 * A step of this package's.
 * @param credential its ID
 */
export const stepOf = (credential: string, type: string, parameters: INodeParameters): Step => ({
	name: stepName,
	type: `n8n-nodes-agency-records.${type}`,
	typeVersion: 1,
	parameters,
	credentials: { agencyRecordsApi: { id: credential, name: credential } },
});

export interface Creates {
	id: string;
	/** Begins an execution that creates a record with each of these names. */
	begin: (names: readonly string[]) => Promise<void>;
}

/**
 * Publishes a workflow that creates shift schedules.
 * @param options of the step
 */
export async function publishCreates(
	session: Session,
	credential: string,
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
	const step = stepOf(credential, 'agencyShiftSchedules', parameters);
	const { id, post } = await publish(session, rows, { ...step, onError });
	return {
		id,
		begin: (names) =>
			post({
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ rows: names.map((name) => ({ name })) }),
			}),
	};
}
