// The ways of doing the same work that are compared: each gives a node for n8n's engine, or a client without n8n.
import { Agent, request as httpRequest } from 'node:http';
import { createReadStream, statSync } from 'node:fs';

import axios from 'axios';
import FormData from 'form-data';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { httpRequestType, httpRequestVersion } from './httpRequest.mts';

/** One way, as a node and its parameters. */
export interface NodeWay {
	type: string;
	parameters: INodeParameters;
	node$?: Partial<INode>;
}

export const concurrency = 32;
export const pageSize = 1000;

const own = (name: string, parameters: INodeParameters): NodeWay => ({
	type: `n8n-nodes-agency-records.${name}`,
	parameters,
});

const http = (parameters: INodeParameters): NodeWay => ({
	type: httpRequestType,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'agencyRecordsApi',
		...parameters,
	},
	node$: { typeVersion: httpRequestVersion },
});

const expressions = {
	name: '={{ $json.name }}',
	fromDate: '={{ $json.fromDate }}',
	toDate: '={{ $json.toDate }}',
	stationNumber: '={{ $json.stationNumber }}',
};
const nameValue = (values: Record<string, string>) =>
	Object.entries(values).map(([name, value]) => ({ name, value }));

const toFile = { method: 'POST', sendBody: true, contentType: 'multipart-form-data' };

/** By kind of work and by way. */
export const nodeWays = (url: string): Record<string, Record<string, NodeWay>> => ({
	create: {
		ours: own('agencyShiftSchedules', { specifyFields: 'inputItem' }),
		'ours, 128 at once': own('agencyShiftSchedules', {
			specifyFields: 'inputItem',
			options: { parallelRequests: 128 },
		}),
		'HTTP Request': http({
			method: 'POST',
			url: `${url}/agencyshiftschedules/shiftschedules`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
		}),
		'routing node': { type: 'bench.routing', parameters: {} },
		'bare loop': { type: 'bench.loop', parameters: {} },
	},
	expressions: {
		ours: own('agencyShiftSchedules', { fields: expressions }),
		'HTTP Request': http({
			method: 'POST',
			url: `${url}/agencyshiftschedules/shiftschedules`,
			sendBody: true,
			bodyParameters: { parameters: nameValue(expressions) },
		}),
	},
	patches: {
		ours: own('agencyLicenses', { specifyFields: 'inputItem' }),
		'HTTP Request': http({
			method: 'PATCH',
			url: `${url}/agencylicenses/licenses`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ [$json] }}',
		}),
	},
	list: {
		ours: own('agencyVendors', { returnAll: true, options: { pageSize } }),
		'HTTP Request': http({
			url: `${url}/agencyvendors/vendors`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: String(pageSize) }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [
								{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${pageSize} }}` },
							],
						},
						paginationCompleteWhen: 'other',
						completeExpression: `={{ $response.body.vendors.length < ${pageSize} }}`,
					},
				},
			},
		}),
	},
	upload: {
		ours: own('agencyFiles', {}),
		'HTTP Request': http({
			...toFile,
			url: `${url}/agencyfiles/files`,
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
			},
		}),
	},
});

const about: Omit<INodeTypeDescription, 'name' | 'displayName' | 'properties'> = {
	group: ['output'],
	version: 1,
	description: '',
	defaults: {},
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: 'agencyRecordsApi', required: true }],
};

/** What n8n does with a node that only describes its requests. */
const routingNode = (baseURL: string): INodeType => ({
	description: {
		...about,
		name: 'routing',
		displayName: 'Routing',
		requestDefaults: { baseURL },
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'hidden',
				default: 'create',
				routing: {
					request: {
						method: 'POST',
						url: '/agencyshiftschedules/shiftschedules',
						body: '={{ $json }}' as unknown as IDataObject,
					},
				},
			},
		],
	},
});

/** Does so many pieces of work, 32 under way at once. */
async function atOnce(count: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: concurrency }, lane));
}

/** The least a node can do with n8n's request helper. */
const loopNode = (baseURL: string): INodeType => ({
	description: { ...about, name: 'loop', displayName: 'Loop', properties: [] },
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const made: IDataObject[] = [];
		await atOnce(items.length, async (index) => {
			made[index] = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'agencyRecordsApi',
				{
					method: 'POST',
					url: `${baseURL}/agencyshiftschedules/shiftschedules`,
					body: items[index]!.json,
				},
			)) as IDataObject;
		});
		return [made.map((json, item) => ({ json, pairedItem: { item } }))];
	},
});

export const benchNodes = (url: string): Record<string, INodeType> => ({
	'bench.routing': routingNode(url),
	'bench.loop': loopNode(url),
});

const headers = {
	'content-type': 'application/json',
	authorization: 't',
	'ocp-apim-subscription-key': 'k',
};

/** What the wire allows: connections that are kept, no n8n. */
export async function keepAliveCreates(url: string, items: readonly object[]): Promise<void> {
	const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
	const post = (body: string) =>
		new Promise<void>((resolve, reject) => {
			const request = httpRequest(
				`${url}/agencyshiftschedules/shiftschedules`,
				{
					method: 'POST',
					agent,
					headers: { ...headers, 'content-length': Buffer.byteLength(body) },
				},
				(response) => {
					let text = '';
					response.on('data', (chunk) => (text += String(chunk)));
					response.on('end', () => {
						JSON.parse(text);
						resolve();
					});
				},
			);
			request.on('error', reject);
			request.end(body);
		});
	await atOnce(items.length, (index) => post(JSON.stringify(items[index])));
	agent.destroy();
}

/** What axios and form-data do with a file when they stream it. */
export async function plainUpload(url: string, file: string): Promise<void> {
	const form = new FormData();
	form.append('file', createReadStream(file), { knownLength: statSync(file).size });
	await axios.post(`${url}/agencyfiles/files`, form, {
		headers: { ...headers, ...form.getHeaders(), 'content-length': form.getLengthSync() },
		maxRedirects: 0,
		maxBodyLength: Infinity,
	});
}
