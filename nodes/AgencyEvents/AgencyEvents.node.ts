import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { events } from './events.area';

export class AgencyEvents implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Events',
		name: 'agencyEvents',
		icon: {
			light: 'file:../../icons/events.svg',
			dark: 'file:../../icons/events.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Record events such as open houses and safety visits, and how many people came',
		defaults: { name: 'Agency Events' },
		usableAsTool: true,
		builderHint: builderHintOf(events),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(events),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, events, this.continueOnFail())];
	}
}
