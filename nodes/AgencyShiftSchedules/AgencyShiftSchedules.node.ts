import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../../engine/form/form';
import { run } from '../../engine/run';
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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: nodeProperties(shiftSchedules),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, shiftSchedules, this.continueOnFail())];
	}
}
