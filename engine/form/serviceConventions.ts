// What the API spec leaves open, and one service does in one way: settings of the credential, so that they count for
// all nodes that use the service. The node "Agency Records Check" finds out what they should be.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { choice, integer, type ScalarField, type ValuesOf } from '../area';
import { Failure } from '../failure';
import { choiceList, labelOf } from './labels';

/** In the order in which the check asks about them. */
export const conventionFields = [
	integer('pageSize', {
		min: 1,
		default: 100,
		description:
			'Number of rows of a list to ask for in one request. Agency Records Check finds the right value.',
	}),
	choice('offsetBase', {
		choices: choiceList({ 0: ['0'], 1: ['1'] }),
		label: 'Offset Counts From',
		default: '0',
		description:
			'Whether the service calls the first row of a list 0 or 1. Agency Records Check finds the right value.',
	}),
] as const;

/** How one service does what the API spec leaves open. */
export type ServiceConventions = ValuesOf<typeof conventionFields>;

const isValid = ({ type, choices, min = 0 }: ScalarField, value: unknown): boolean =>
	type === 'integer'
		? Number.isSafeInteger(value) && Number(value) >= min
		: choices!.some((each) => each.value === value);

/**
 * @param credentials the credential; a setting that it does not have is the default
 * @throws Failure that names each setting whose value the form does not offer, as an expression may give one
 */
export function conventionsOf(credentials: ICredentialDataDecryptedObject): ServiceConventions {
	const settings = Object.fromEntries(
		conventionFields.map(({ name, default: initial }) => [name, credentials[name] ?? initial]),
	);
	const invalid = conventionFields.filter((field) => !isValid(field, settings[field.name]));
	if (invalid.length > 0) {
		const labels = invalid.map((field) => `'${labelOf(field)}'`).join(', ');
		throw new Failure(`The credential has invalid settings: ${labels}`, 'notSent', {
			code: 'credentialUnusable',
			advice: 'Choose them again in the credential.',
		});
	}
	return settings as unknown as ServiceConventions;
}
