import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { exposures } from './exposures.area';

export class AgencyExposures implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Exposures',
		name: 'agencyExposures',
		icon: {
			light: 'file:../../icons/exposures.svg',
			dark: 'file:../../icons/exposures.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Record wildland fires under the exposures of an incident',
		defaults: { name: 'Agency Exposures' },
		usableAsTool: true,
		builderHint: builderHintOf(exposures),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(exposures),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, exposures, this.continueOnFail())];
	}
}
