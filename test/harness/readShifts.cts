// Shifts that are read, one for each item: the smallest requests, for tests of what stands around them.
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from './run.cts';

/** Reads so many shifts, from ID 101 on, up to 50 at once. */
export const readShifts = (
	credentials: CredentialStore,
	count: number,
	more: Partial<RunOptions> = {},
	run = runNode,
): Promise<RunResult> =>
	run({
		node: new AgencyShifts(),
		parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 50, maxTries: 1 } },
		items: Array.from({ length: count }, (_, n) => ({ id: 101 + n })),
		credentials,
		...more,
	});
