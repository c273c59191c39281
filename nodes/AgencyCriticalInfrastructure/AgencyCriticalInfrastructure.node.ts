import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { criticalInfrastructure } from './criticalInfrastructure.area';

export class AgencyCriticalInfrastructure implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Critical Infrastructure',
		name: 'agencyCriticalInfrastructure',
		icon: {
			light: 'file:../../icons/criticalInfrastructure.svg',
			dark: 'file:../../icons/criticalInfrastructure.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Look up the categories of critical infrastructure',
		defaults: { name: 'Agency Critical Infrastructure' },
		usableAsTool: true,
		builderHint: builderHintOf(criticalInfrastructure),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(criticalInfrastructure),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, criticalInfrastructure, this.continueOnFail())];
	}
}
