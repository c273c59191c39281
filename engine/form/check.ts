// The form of the node that checks the service.
import type { INodeProperties } from 'n8n-workflow';

import { boolean } from '../area';
import { dropdowns, inputOf } from './form';

const onlyWhatChanged = boolean('onlyWhatChanged', {
	default: false,
	description:
		'Whether to return only the answers that differ from those of the last check. Active workflows keep the answers; a manual execution does not.',
});

const checkOperation = {
	name: 'check',
	label: 'Check',
	action: 'Check the service',
	description: 'Find out what the service does and which settings fit it',
};

/** The `properties` of the node. */
export const checkProperties = (): INodeProperties[] => [
	...dropdowns([{ name: 'service', label: 'Service', operations: [checkOperation] }]),
	inputOf(onlyWhatChanged),
];
