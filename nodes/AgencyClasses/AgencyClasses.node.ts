import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { classes } from './classes.area';

export class AgencyClasses implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Classes',
		name: 'agencyClasses',
		icon: {
			light: 'file:../../icons/classes.svg',
			dark: 'file:../../icons/classes.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Keep the students of training classes current',
		defaults: { name: 'Agency Classes' },
		usableAsTool: true,
		builderHint: builderHintOf(classes),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(classes),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, classes, this.continueOnFail())];
	}
}
