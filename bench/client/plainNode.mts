// The fixed reference: a node as one would write it in an hour. It sends every item with n8n's request helper, 32 at a
// time, without sign-in, limits, retries, doubt or a form. It uses nothing of this package, so no change of this
// package changes it.
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

/** The type under which n8n loads a node from its folder for custom nodes. */
export const plainNodeType = 'CUSTOM.plainNode';

/** Requests in progress at once. */
const maxParallel = 32;

const description: INodeTypeDescription = {
	displayName: 'Plain Node',
	name: 'plainNode',
	group: ['output'],
	version: 1,
	description: 'Creates a record for each item',
	defaults: { name: 'Plain Node' },
	inputs: ['main'],
	outputs: ['main'],
	properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
};

export class PlainNode implements INodeType {
	description = description;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0) as string;
		const headers = { Authorization: 'token', 'Ocp-Apim-Subscription-Key': 'key' };
		const output: INodeExecutionData[] = [];
		const indexes = items.keys();
		const sendOneAfterAnother = async () => {
			for (const item of indexes) {
				const json = (await this.helpers.httpRequest({
					method: 'POST',
					url,
					headers,
					body: items[item]!.json,
					json: true,
				})) as IDataObject;
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: maxParallel }, sendOneAfterAnother));
		return [output];
	}
}
