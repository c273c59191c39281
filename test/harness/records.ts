// What the records in the service tell of a run.
import type { Sandbox } from '../../sandbox/server.mts';

type Service = Pick<Sandbox, 'records'>;

/** How often each value of a field is among the records of a kind. */
export function countBy({ records }: Service, kind: string, field: string): Map<unknown, number> {
	const counts = new Map<unknown, number>();
	for (const { data } of records.list(kind).rows) {
		counts.set(data[field], (counts.get(data[field]) ?? 0) + 1);
	}
	return counts;
}

/** Names of the shift schedules that tests have made, `row …`, each as often as it is there. */
export const rowNames = ({ records }: Service): string[] =>
	records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => name.startsWith('row '));
