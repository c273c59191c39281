import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../../engine/form/form';
import { run } from '../../engine/run';
import { users } from './users.area';

export class AgencyUsers implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Users',
		name: 'agencyUsers',
		icon: {
			light: 'file:../../icons/users.svg',
			dark: 'file:../../icons/users.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Credit members with length-of-service points',
		defaults: { name: 'Agency Users' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: nodeProperties(users),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, users, this.continueOnFail())];
	}
}
