import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { vendors } from './vendors.area';

export class AgencyVendors implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Vendors',
		name: 'agencyVendors',
		icon: {
			light: 'file:../../icons/vendors.svg',
			dark: 'file:../../icons/vendors.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Look up the vendors an agency buys from',
		defaults: { name: 'Agency Vendors' },
		usableAsTool: true,
		builderHint: builderHintOf(vendors),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(vendors),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, vendors, this.continueOnFail())];
	}
}
