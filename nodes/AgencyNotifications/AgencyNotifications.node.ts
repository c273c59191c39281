import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../../engine/form/form';
import { run } from '../../engine/run';
import { notifications } from './notifications.area';

export class AgencyNotifications implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Notifications',
		name: 'agencyNotifications',
		icon: {
			light: 'file:../../icons/notifications.svg',
			dark: 'file:../../icons/notifications.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Notify the agency about its equipment',
		defaults: { name: 'Agency Notifications' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: nodeProperties(notifications),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, notifications, this.continueOnFail())];
	}
}
