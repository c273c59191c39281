// The form of the node that checks the service.
import type { INodeProperties } from 'n8n-workflow';

import { boolean, integer, type ValuesOf } from '../area';
import { dropdowns, groupProperties } from './form';
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

const service = {
	name: 'service',
	label: 'Service',
	operations: [
		{
			name: 'check',
			label: 'Check',
			action: 'Check the service',
			description: 'Find out what the service does and which settings fit it',
		},
	],
};

/** The `properties` of the node. */
export const checkProperties = (): INodeProperties[] => [
	...dropdowns([service]),
	...groupProperties({ destination: 'settings', fields: [onlyWhatChanged] }),
	...groupProperties({
		destination: 'settings',
		fields: checkOptions,
		collection: optionsCollection,
	}),
];
