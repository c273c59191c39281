// Creates a shift schedule for each item, by its name: the smallest writes.
import type { IDataObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from './run.cts';
import { aDay } from './aDay.mts';

export type CreateOptions = Partial<RunOptions> & { options?: IDataObject };

/** Items named row 0, row 1 … */
export const namedRows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ name: `row ${n}` }));

/** @param options of the node, such as `maxTries` */
export const createSchedules = (
	credentials: CredentialStore,
	{ options, parameters, ...more }: CreateOptions = {},
): Promise<RunResult> =>
	runNode({
		node: new AgencyShiftSchedules(),
		credentials,
		...more,
		parameters: {
			fields: { ...aDay, name: '={{ $json.name }}' },
			...(options && { options }),
			...parameters,
		} as RunOptions['parameters'],
	});
