import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { shiftSchedules } from './shiftSchedules.area';

export class AgencyShiftSchedules implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Shift Schedules',
		name: 'agencyShiftSchedules',
		icon: {
			light: 'file:../../icons/shiftSchedules.svg',
			dark: 'file:../../icons/shiftSchedules.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Plan which shift works when, and at which station',
		defaults: { name: 'Agency Shift Schedules' },
		usableAsTool: true,
		builderHint: builderHintOf(shiftSchedules),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(shiftSchedules),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, shiftSchedules, this.continueOnFail())];
	}
}
