// The trigger that watches the sandbox's vendors, for the tests that change them between its polls.
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import {
	addRecord,
	changeRecord,
	removeRecord,
	type EditableKind,
} from '../../../sandbox/recordEdits.mts';
import { Trigger } from '../../harness/polling';
import { useSandbox } from '../../harness/useSandbox';

/** To be called at the top of a test file: gives each of its tests a sandbox of its own. */
export function useVendorTrigger() {
	const arrivals: { on: (operation: string) => void } = { on: () => {} };
	const sandbox = useSandbox({ each: 'test', onArrival: (operation) => arrivals.on(operation) });
	beforeEach(() => void (arrivals.on = () => {}));

	const credentials = (changes: ICredentialDataDecryptedObject = {}) =>
		sandbox.credentials({ grantType: 'password', ...changes });
	/** @param pageSize the credential's, if it is not the usual one */
	const newTrigger = (parameters: INodeParameters = {}, pageSize?: number) =>
		new Trigger(
			{ resource: 'vendor', ...parameters },
			credentials(pageSize === undefined ? {} : { setConventions: true, pageSize }),
		);
	return {
		sandbox,
		credentials,
		/** Its function is called as a request arrives. */
		arrivals,
		newTrigger,
		started: (parameters?: INodeParameters, pageSize?: number) =>
			newTrigger(parameters, pageSize).activate(),
		change: (id: number, name: string, kind: EditableKind = 'vendor') =>
			changeRecord(sandbox.records, kind, id, { name }),
		add: (name: string) => addRecord(sandbox.records, 'vendor', { name }),
		remove: (id: number) => removeRecord(sandbox.records, 'vendor', id),
	};
}

/** What the trigger said of each row. */
export const told = (items: IDataObject[]) =>
	items.map(({ changeType, departmentBusinessID, name, repeated }) => [
		changeType,
		departmentBusinessID,
		...(name === undefined ? [] : [name]),
		...(repeated ? ['repeated'] : []),
	]);
