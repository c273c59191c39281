import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
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
		builderHint: builderHintOf(demographics),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(demographics),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, demographics, this.continueOnFail())];
	}
}
