import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { requests } from './requests';
import { sharedInputs } from './sharedInputs';

export class AgencyRecordsRequest implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Records Request',
		name: 'agencyRecordsRequest',
		icon: {
			light: 'file:../../icons/request.svg',
			dark: 'file:../../icons/request.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send any request to the records service that no other node has',
		defaults: { name: 'Agency Records Request' },
		usableAsTool: true,
		builderHint: builderHintOf(requests),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: sharedInputs(propertiesOf(requests)),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, requests, this.continueOnFail())];
	}
}
