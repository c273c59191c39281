import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { licenses } from './licenses.area';

export class AgencyLicenses implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Licenses',
		name: 'agencyLicenses',
		icon: {
			light: 'file:../../icons/licenses.svg',
			dark: 'file:../../icons/licenses.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Set which users hold licenses and certifications, many at once',
		defaults: { name: 'Agency Licenses' },
		usableAsTool: true,
		builderHint: builderHintOf(licenses),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(licenses),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, licenses, this.continueOnFail())];
	}
}
