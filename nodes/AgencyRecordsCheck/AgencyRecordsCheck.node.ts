import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { check } from '../../engine/check/check';
import { dropdowns } from '../../engine/form/form';
import { documentedLists } from '../AgencyRecordsTrigger/watchedLists';

const checkOperation = {
	name: 'check',
	label: 'Check',
	action: 'Check service',
	description: 'Find out what the service does and which settings fit it',
};

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Find out what the records service does and which settings fit it',
		defaults: { name: 'Agency Records Check' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: dropdowns([{ name: 'service', label: 'Service', operations: [checkOperation] }]),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await check(this, documentedLists, this.continueOnFail())];
	}
}
