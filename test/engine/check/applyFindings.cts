// Sets a credential as a check says, as a person would: by the labels and values that its items name.
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodePropertyOptions,
} from 'n8n-workflow';

import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';

/**
 * @param items the output of a check
 * @returns the fields of the credential that differ
 * @throws Error when an item names a setting or a value that the form does not show
 */
export function applyFindings(items: readonly IDataObject[]): ICredentialDataDecryptedObject {
	const { properties } = new AgencyRecordsApi();
	const changes = items.slice(1).flatMap(({ action }) => {
		const [, setting, value] =
			/^Set '(.+)' to '(.+)' in the credential\.$/.exec(action as string) ?? [];
		if (setting === undefined) return [];
		const field = properties.find(({ displayName }) => displayName === setting);
		if (!field) throw new Error(`The credential has no '${setting}'`);
		if (field.type === 'number') return [[field.name, Number(value)] as const];
		const options = field.options as INodePropertyOptions[];
		const option = options.find(({ name }) => name === value);
		if (!option) throw new Error(`'${setting}' has no '${value}'`);
		return [[field.name, option.value] as const];
	});
	return Object.fromEntries(changes);
}
