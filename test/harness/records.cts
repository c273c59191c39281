// The records in the service after a run, and changes that somebody else makes meanwhile.
import { replaceRecord, type EditableKind } from '../../sandbox/recordEdits.mts';
import type { RecordData } from '../../sandbox/recordStore.mts';
import type { Sandbox } from '../../sandbox/server.mts';

type Service = Pick<Sandbox, 'records'>;

/** @param changes fields that change; the others stay as they are */
export const changeRecord = (
	{ records }: Service,
	kind: EditableKind,
	id: number,
	changes: RecordData,
): void => replaceRecord(records, kind, id, { ...records.get(kind, id)!.data, ...changes });

/** Names of the shift schedules that tests have made, `row …`, each as often as it is there. */
export const rowNames = ({ records }: Service): string[] =>
	records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => name.startsWith('row '));
