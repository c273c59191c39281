import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { library } from './library.area';

export class AgencyLibrary implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Library',
		name: 'agencyLibrary',
		icon: {
			light: 'file:../../icons/library.svg',
			dark: 'file:../../icons/library.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: "Add categories to the agency's library of documents",
		defaults: { name: 'Agency Library' },
		usableAsTool: true,
		builderHint: builderHintOf(library),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(library),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, library, this.continueOnFail())];
	}
}
