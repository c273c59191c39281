// The form of the node that checks the service.
import type { INodeProperties } from 'n8n-workflow';

import { boolean, integer, type ValuesOf } from '../area';
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

const shiftID = integer('shiftID', {
	min: 1,
	example: 101,
	description:
		'ID of any shift, to find out whether the service answers 304 to the version in an ETag',
});

const checkOptions = [signInAgain, shiftID] as const;

/** The options of a check. */
export type CheckOptions = ValuesOf<readonly [typeof onlyWhatChanged, ...typeof checkOptions]>;

/** The options that a check has when nothing is set. */
export const checkDefaults: CheckOptions = { onlyWhatChanged: false, signInAgain: false };

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
		options: checkOptions.flatMap((field) => inputsOf(field)),
	},
];
