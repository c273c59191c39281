import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { run } from '../../engine/run';
import { builderHintOf, propertiesOf } from '../builderHints';
import { apparatusMaintenance } from './apparatusMaintenance.area';

export class AgencyApparatusMaintenance implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agency Apparatus Maintenance',
		name: 'agencyApparatusMaintenance',
		icon: {
			light: 'file:../../icons/apparatusMaintenance.svg',
			dark: 'file:../../icons/apparatusMaintenance.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Update the maintenance of engines, ladders and ambulances (deprecated)',
		defaults: { name: 'Agency Apparatus Maintenance' },
		usableAsTool: true,
		builderHint: builderHintOf(apparatusMaintenance),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: propertiesOf(apparatusMaintenance),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this, apparatusMaintenance, this.continueOnFail())];
	}
}
