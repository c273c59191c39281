import type { Accounts } from '../accounts.mts';
import type { Faults } from '../faults.mts';
import type { RequestLog } from '../requestLog.mts';
import type { RecordStore } from '../recordStore.mts';

/** What the page shows and changes: all that a sandbox holds. */
export interface SandboxState {
	records: RecordStore;
	accounts: Accounts;
	faults: Faults;
	requestLog: RequestLog;
}
