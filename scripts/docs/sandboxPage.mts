// What can be read on the sandbox's page.
import { Accounts } from '../../sandbox/accounts.mts';
import { Faults } from '../../sandbox/faults.mts';
import { Journal } from '../../sandbox/journal.mts';
import { documentOf } from '../../sandbox/page/document.mts';
import { Store } from '../../sandbox/store.mts';

/** Its texts, each as one element holds it; with a record on the form. */
export function pageWords(): string[] {
	const faults = new Faults([], 0);
	const store = new Store(':memory:');
	const record = store.insert('vendor', {});
	const room = { store, accounts: new Accounts({}), faults, journal: new Journal(faults) };
	const page = documentOf(room, { kind: 'vendor', offset: 0, record });
	store.close();
	return [...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim());
}
