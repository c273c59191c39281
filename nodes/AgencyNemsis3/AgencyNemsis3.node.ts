import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { nemsis3 } from './nemsis3.area';

export class AgencyNemsis3 implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency NEMSIS 3',
		name: 'agencyNemsis3',
		icon: {
			light: 'file:../../icons/nemsis3.svg',
			dark: 'file:../../icons/nemsis3.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Look up the NEMSIS 3 codes of devices for patient care records',
		defaults: { name: 'Agency NEMSIS 3' },
		usableAsTool: true,
		builderHint: builderHintOf(nemsis3),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(nemsis3),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, nemsis3, this.continueOnFail())];
	}
}
