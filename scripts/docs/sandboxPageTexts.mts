// The texts on the sandbox's page.
import { Accounts } from '../../sandbox/accounts.mts';
import { Faults } from '../../sandbox/faults.mts';
import { Journal } from '../../sandbox/journal.mts';
import { documentOf } from '../../sandbox/page/document.mts';
import { Store } from '../../sandbox/store.mts';

/** Each as one element holds it; a record is open in the form. */
export function sandboxPageTexts(): string[] {
	const faults = new Faults([], 0);
	const store = new Store(':memory:');
	const record = store.insert('vendor', {});
	const room = { store, accounts: new Accounts({}), faults, journal: new Journal(faults) };
	const page = documentOf(room, { kind: 'vendor', offset: 0, record });
	store.close();
	return [...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim());
}
