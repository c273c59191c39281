import type { Accounts } from '../accounts.mts';
import type { Dialects } from '../dialects.mts';
import type { Faults } from '../faults.mts';
import type { RequestLog } from '../requestLog.mts';
import type { RecordStore } from '../recordStore.mts';

/** What the page shows and changes: all that a sandbox holds. */
export interface SandboxState {
	records: RecordStore;
	accounts: Accounts;
	/** Changed in place. */
	dialects: Dialects;
	faults: Faults;
	requestLog: RequestLog;
}
