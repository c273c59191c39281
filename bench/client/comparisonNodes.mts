// Two nodes to compare with, written as community nodes usually are: a declarative one, and one with a loop.
import type { IDataObject, IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { forEachInParallel } from './parallel.mts';

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

/** A declarative node: it only describes its requests, and n8n sends them. */
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

/** A node that does nothing but call n8n's request helper for each item. */
const loopNode = (baseURL: string): INodeType => ({
	description: { ...about, name: 'loop', displayName: 'Loop', properties: [] },
	async execute(this: IExecuteFunctions) {
		const created: IDataObject[] = [];
		await forEachInParallel(this.getInputData(), async ({ json: body }, index) => {
			created[index] = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'agencyRecordsApi',
				{ method: 'POST', url: `${baseURL}${path}`, body },
			)) as IDataObject;
		});
		return [created.map((json, item) => ({ json, pairedItem: { item } }))];
	},
});

/** The nodes by the full names of their types. */
export const comparisonNodes = (url: string): Record<string, INodeType> => ({
	'bench.routing': routingNode(url),
	'bench.loop': loopNode(url),
});
