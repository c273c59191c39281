import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { mappings } from './mappings.area';

export class AgencyMappings implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Mappings',
		name: 'agencyMappings',
		icon: {
			light: 'file:../../icons/mappings.svg',
			dark: 'file:../../icons/mappings.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Map personnel and stations for a client',
		defaults: { name: 'Agency Mappings' },
		usableAsTool: true,
		builderHint: builderHintOf(mappings),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(mappings),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, mappings, this.continueOnFail())];
	}
}
