// Nodes that are not ours, written the two usual ways.
import type { IDataObject, IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { atOnce } from './loop.mts';

const about: Omit<INodeTypeDescription, 'name' | 'displayName' | 'properties'> = {
	group: ['output'],
	version: 1,
	description: '',
	defaults: {},
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: 'agencyRecordsApi', required: true }],
};

const path = '/agencyshiftschedules/shiftschedules';

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
					request: { method: 'POST', url: path, body: '={{ $json }}' as unknown as IDataObject },
				},
			},
		],
	},
});

/** The least a node can do with n8n's request helper. */
const loopNode = (baseURL: string): INodeType => ({
	description: { ...about, name: 'loop', displayName: 'Loop', properties: [] },
	async execute(this: IExecuteFunctions) {
		const made: IDataObject[] = [];
		await atOnce(this.getInputData(), async ({ json: body }, index) => {
			made[index] = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'agencyRecordsApi',
				{ method: 'POST', url: `${baseURL}${path}`, body },
			)) as IDataObject;
		});
		return [made.map((json, item) => ({ json, pairedItem: { item } }))];
	},
});

/** By full name of the type. */
export const otherNodes = (url: string): Record<string, INodeType> => ({
	'bench.routing': routingNode(url),
	'bench.loop': loopNode(url),
});
