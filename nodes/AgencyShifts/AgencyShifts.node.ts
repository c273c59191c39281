import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { shifts } from './shifts.area';

export class AgencyShifts implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Shifts',
		name: 'agencyShifts',
		icon: {
			light: 'file:../../icons/shifts.svg',
			dark: 'file:../../icons/shifts.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read a shift, with its color',
		defaults: { name: 'Agency Shifts' },
		usableAsTool: true,
		builderHint: builderHintOf(shifts),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(shifts),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, shifts, this.continueOnFail())];
	}
}
