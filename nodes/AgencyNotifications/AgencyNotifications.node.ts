import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
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
		builderHint: builderHintOf(notifications),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(notifications),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, notifications, this.continueOnFail())];
	}
}
