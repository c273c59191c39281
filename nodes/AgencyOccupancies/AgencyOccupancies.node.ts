import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { occupancies } from './occupancies.area';

export class AgencyOccupancies implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Occupancies',
		name: 'agencyOccupancies',
		icon: {
			light: 'file:../../icons/occupancies.svg',
			dark: 'file:../../icons/occupancies.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Prepare forms for fire inspections of occupancies',
		defaults: { name: 'Agency Occupancies' },
		usableAsTool: true,
		builderHint: builderHintOf(occupancies),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(occupancies),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, occupancies, this.continueOnFail())];
	}
}
