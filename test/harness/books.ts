// What the sandbox's books hold after a run.
import type { Sandbox } from '../../sandbox/server.mts';

/** Names of the shift schedules that tests have made, `row …`, each as often as it is there. */
export const rowsInBooks = ({ records }: Pick<Sandbox, 'records'>): string[] =>
	records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => name.startsWith('row '));
