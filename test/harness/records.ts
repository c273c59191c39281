// What the records in the service tell of a run.
import type { Sandbox } from '../../sandbox/server.mts';

type Service = Pick<Sandbox, 'records'>;

/** Names of the shift schedules that tests have made, `row …`, each as often as it is there. */
export const rowNames = ({ records }: Service): string[] =>
	records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => name.startsWith('row '));
