// The records in the service after a run, and changes by somebody else in the meantime.
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

/** The names of the shift schedules that tests created, `row …`, each as often as it exists. */
export const rowNames = ({ records }: Service): string[] =>
	records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => name.startsWith('row '));
