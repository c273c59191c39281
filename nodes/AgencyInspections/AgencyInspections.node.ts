import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { inspections } from './inspections.area';

export class AgencyInspections implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Inspections',
		name: 'agencyInspections',
		icon: {
			light: 'file:../../icons/inspections.svg',
			dark: 'file:../../icons/inspections.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Archive answers of fire inspections',
		defaults: { name: 'Agency Inspections' },
		usableAsTool: true,
		builderHint: builderHintOf(inspections),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(inspections),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, inspections, this.continueOnFail())];
	}
}
