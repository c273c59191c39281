import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { check } from '../../engine/check/check';
import { checkProperties } from '../../engine/form/check';
import { watchedLists } from '../AgencyRecordsTrigger/watchedLists';

export class AgencyRecordsCheck implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Records Check',
		name: 'agencyRecordsCheck',
		icon: {
			light: 'file:../../icons/check.svg',
			dark: 'file:../../icons/check.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: 'Agency Records Check',
		description: 'Find out what the records service does and which settings fit it',
		defaults: { name: 'Agency Records Check' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: checkProperties(),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await check(this, watchedLists, this.continueOnFail())];
	}
}
