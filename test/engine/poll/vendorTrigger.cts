// A trigger that watches the sandbox's vendors, for tests that change them between polls.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addRecord, removeRecord, type EditableKind } from '../../../sandbox/recordEdits.mts';
import { Trigger } from '../../harness/polling.cts';
import { changeRecord } from '../../harness/records.cts';
import { useSandbox, withPageSize } from '../../harness/useSandbox.cts';

/** To be called at the top of a test file: gives each of its tests a sandbox of its own. */
export function useVendorTrigger() {
	const sandbox = useSandbox({ each: 'test' });
	beforeEach(() => {
		// A list of two pages is long enough: each poll reads all of it.
		sandbox.records.transaction(() => {
			for (let id = 231; id <= 530; id++) sandbox.records.remove('vendor', id);
		});
	});

	const credentials = () => sandbox.credentials({ grantType: 'password' });
	const newTrigger = (parameters: INodeParameters = {}, pageSize = 100) =>
		new Trigger(
			{ resource: 'vendor', ...parameters },
			sandbox.credentials({ grantType: 'password', ...withPageSize(pageSize) }),
		);
	return {
		sandbox,
		credentials,
		newTrigger,
		started: (parameters?: INodeParameters, pageSize?: number) =>
			newTrigger(parameters, pageSize).activate(),
		change: (id: number, name: string, kind: EditableKind = 'vendor') =>
			changeRecord(sandbox, kind, id, { name }),
		add: (name: string) => addRecord(sandbox.records, 'vendor', { name }),
		remove: (id: number) => removeRecord(sandbox.records, 'vendor', id),
	};
}

/** The trigger's report on each row. */
export const told = (items: IDataObject[]) =>
	items.map(({ changeType, departmentBusinessID, name, repeated }) => [
		changeType,
		departmentBusinessID,
		...(name === undefined ? [] : [name]),
		...(repeated ? ['repeated'] : []),
	]);
