import type { Accounts } from '../accounts.mts';
import type { Faults } from '../faults.mts';
import type { Journal } from '../journal.mts';
import type { Store } from '../store.mts';

/** What the page shows and changes: all that a sandbox holds. */
export interface Room {
	store: Store;
	accounts: Accounts;
	faults: Faults;
	journal: Journal;
}
