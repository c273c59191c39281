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
import { patternsHint, withHints } from '../builderHints';
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
		builderHint: {
			searchHint:
				"Set 'triggerOn', a list of added (the default), changed and removed: there is no 'event'. Each item has its 'changeType'.",
			extraTypeDefContent: patternsHint([
				[
					'Start when a vendor is added or removed',
					"{ resource: 'vendor', triggerOn: ['added', 'removed'] }",
				],
				[
					'Start when a row of any list changes',
					"{ resource: 'otherList', path: '/agencyvendors/vendors', rowsKey: 'vendors', idField: 'departmentBusinessID', triggerOn: ['changed'] }",
				],
			]),
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: withHints(
			withHidden(triggerProperties(watchedLists, 'vendor')),
			watchedLists.map(({ operation }) => operation),
		),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, watchedLists);
	}
}
