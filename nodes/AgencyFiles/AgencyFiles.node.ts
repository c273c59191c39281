import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { files } from './files.area';

export class AgencyFiles implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Files',
		name: 'agencyFiles',
		icon: {
			light: 'file:../../icons/files.svg',
			dark: 'file:../../icons/files.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: "Upload files to the agency's records",
		defaults: { name: 'Agency Files' },
		usableAsTool: true,
		builderHint: builderHintOf(files),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(files),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, files, this.continueOnFail())];
	}
}
