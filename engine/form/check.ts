// The form of the node that checks the service.
import type { INodeProperties } from 'n8n-workflow';

import { boolean } from '../area';
import { dropdowns, groupProperties, inputOf } from './form';
import { optionsCollection } from './layout';

const onlyWhatChanged = boolean('onlyWhatChanged', {
	default: false,
	description:
		'Whether to return only the answers that differ from those of the last check. Active workflows keep the answers; a manual execution does not.',
});

const signInAgain = boolean('signInAgain', {
	default: false,
	description:
		'Whether to sign in once more, to find out whether that ends the token that workflows are using. If it does, workflows that are running sign in again.',
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
	...groupProperties({
		destination: 'settings',
		fields: [signInAgain],
		collection: optionsCollection,
	}),
];
