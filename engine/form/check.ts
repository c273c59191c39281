// The form of the node that checks the service.
import type { INodeProperties } from 'n8n-workflow';

import { boolean } from '../area';
import { inputsOf } from './inputs';
import { optionsCollection } from './layout';

const onlyWhatChanged = boolean('onlyWhatChanged', {
	default: false,
	description:
		'Whether to return only the answers that differ from those of the last check. What they were is kept by workflows that are active; a manual execution keeps nothing.',
});

const signInAgain = boolean('signInAgain', {
	default: false,
	description:
		'Whether to sign in once more, to find out whether that ends the token that workflows are using. If it does, what runs at that moment signs in anew.',
});

/** The `properties` of the node. */
export const checkProperties = (): INodeProperties[] => [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [{ name: 'Service', value: 'service' }],
		default: 'service',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['service'] } },
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check the service',
				description: 'Find out what the service does and which settings fit it',
			},
		],
		default: 'check',
	},
	...inputsOf(onlyWhatChanged),
	{
		displayName: optionsCollection.label,
		name: optionsCollection.name,
		type: 'collection',
		placeholder: optionsCollection.buttonText,
		default: {},
		options: inputsOf(signInAgain),
	},
];
