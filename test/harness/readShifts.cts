// Reads a shift for each item: the smallest requests, for tests that are not about the request itself.
import type { INodeParameters } from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from './run.cts';

/**
 * Reads this number of shifts, from ID 101 on.
 * @param options of the node; one try of each, up to 50 at once, if they are not given
 */
export const readShifts = (
	credentials: CredentialStore,
	count: number,
	{
		options = { parallelRequests: 50, maxTries: 1 },
		...more
	}: Partial<RunOptions> & { options?: INodeParameters } = {},
	run = runNode,
): Promise<RunResult> =>
	run({
		node: new AgencyShifts(),
		parameters: { shiftID: '={{ $json.id }}', options },
		items: Array.from({ length: count }, (_, n) => ({ id: 101 + n })),
		credentials,
		...more,
	});
