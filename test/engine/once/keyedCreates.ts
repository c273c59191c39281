// Creates of shift schedules with keys.
import type { IDataObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from '../../harness/run';

export const items = (...numbers: number[]) => numbers.map((n) => ({ rowID: n, name: `row ${n}` }));

/** 0, 1, 2 … */
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Sends items, each with its rowID as the key. */
export const createWithKeys = (
	credentials: CredentialStore,
	given: IDataObject[],
	options: IDataObject = {},
	more: Partial<RunOptions> = {},
): Promise<RunResult> =>
	runNode({
		node: new AgencyShiftSchedules(),
		credentials,
		items: given,
		nodeSettings: { onError: 'continueRegularOutput' },
		...more,
		parameters: {
			fields: { name: '={{ $json.name }}' },
			options: { sendOnceKey: '={{ $json.rowID }}', maxTries: 1, ...options },
			...more.parameters,
		} as RunOptions['parameters'],
	});

/** What became of each item. */
export const outcomes = ({ json }: Pick<RunResult, 'json'>) =>
	json.map((entry) =>
		'error' in entry
			? (entry.error as IDataObject).outcome
			: entry.alreadySent
				? 'alreadySent'
				: 'sent',
	);
