import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../../engine/form/form';
import { run } from '../../engine/run';
import { demographics } from './demographics.area';

export class AgencyDemographics implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Demographics',
		name: 'agencyDemographics',
		icon: {
			light: 'file:../../icons/demographics.svg',
			dark: 'file:../../icons/demographics.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: "Record an agency's NEMSIS demographics by year",
		defaults: { name: 'Agency Demographics' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: nodeProperties(demographics),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, demographics, this.continueOnFail())];
	}
}
