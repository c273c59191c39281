// What the API spec leaves open, and one service does in one way: settings of the credential, so that they count for
// all nodes that use the service. The node "Agency Records Check" finds out what they should be.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { boolean, choice, defaultsOf, integer, type ScalarField, type ValuesOf } from '../area';
import { Failure } from '../failure';
import { choiceList, labelOf, type Way } from './labels';

/** The switch that shows the settings; while it is off, they have their defaults. */
export const conventionsSwitch = boolean('setConventions', {
	label: 'Set How the Service Works',
	default: false,
	noDataExpression: true,
	description:
		'Whether to set how this service handles what its API leaves open. Agency Records Check finds the right values.',
});

const dateFormats = {
	iso: ['ISO 8601', (iso) => iso],
	sql: ['Date and Time', (iso) => iso.slice(0, 19).replace('T', ' ')],
	date: ['Day', (iso) => iso.slice(0, 10)],
	us: ['Month First', (iso) => `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`],
	dayFirst: ['Day First', (iso) => `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`],
	unix: ['Seconds Since 1970', (iso) => String(Math.floor(Date.parse(iso) / 1000))],
} satisfies Record<string, Way>;

/** A date as 'Changes Since' has it, in UTC. */
export const formatDate = (date: Date, format: ServiceConventions['changesSinceFormat']): string =>
	dateFormats[format][1](date.toISOString());

/** In the order in which the check asks about them. */
export const conventionFields = [
	integer('pageSize', {
		min: 1,
		default: 100,
		description: 'Number of rows to ask for in one request',
	}),
	choice('offsetBase', {
		choices: choiceList({ 0: ['0'], 1: ['1'] }),
		label: 'Offset Counts From',
		default: '0',
		description: 'Whether the service calls the first row of a list 0 or 1',
	}),
	choice('changesSinceFormat', {
		choices: choiceList(dateFormats, '2026-03-01T07:00:00.000Z'),
		default: 'iso',
		description:
			"How the nodes write a date in 'Changes Since', in UTC; text that is not an ISO 8601 date is sent as is",
	}),
	choice('archivedValues', {
		choices: choiceList({
			trueFalse: ['True and False'],
			oneZero: ['1 and 0'],
			yesNo: ['Yes and No'],
		}),
		default: 'trueFalse',
		description:
			"What the nodes send when 'Show Archived' is true or false; any other text is sent as is",
	}),
] as const;

/** How one service does what the API spec leaves open. */
export type ServiceConventions = ValuesOf<typeof conventionFields>;

/** What a service is taken for as long as nobody has said otherwise. */
export const defaultConventions = defaultsOf(conventionFields) as unknown as ServiceConventions;

const isValid = ({ type, choices, min = 0 }: ScalarField, value: unknown): boolean =>
	type === 'integer'
		? Number.isSafeInteger(value) && Number(value) >= min
		: choices!.some((each) => each.value === value);

/**
 * @param credentials the credential; a setting that it does not have is the default
 * @throws Failure that names each setting whose value the form does not offer, as an expression may give one
 */
export function conventionsOf(credentials: ICredentialDataDecryptedObject): ServiceConventions {
	if (credentials[conventionsSwitch.name] !== true) return defaultConventions;
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

/** Where the settings are that the check asks about, as the beginning of a message. */
export const whereSettingsAre = `In the credential, switch on '${conventionsSwitch.label}', and set`;
