import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { triggerProperties } from '../../engine/form/form';
import { withHidden } from '../../engine/form/misplaced';
import { poll } from '../../engine/poll/poll';
import { watchedLists } from './watchedLists';

export class AgencyRecordsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Records Trigger',
		name: 'agencyRecordsTrigger',
		icon: {
			light: 'file:../../icons/trigger.svg',
			dark: 'file:../../icons/trigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ({ infrastructureCategory: "Critical Infrastructure", deviceCode: "Device Codes", otherList: "Other List", vendor: "Vendors" })[$parameter["resource"]] }}',
		description: 'Starts the workflow when rows of a list are added, changed or removed',
		defaults: { name: 'Agency Records Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: withHidden(triggerProperties(watchedLists, 'vendor'), 'event', 'events'),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, watchedLists);
	}
}
