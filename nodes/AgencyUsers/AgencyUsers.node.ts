import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
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
		builderHint: builderHintOf(users),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(users),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, users, this.continueOnFail())];
	}
}
