// What can be read on the sandbox's page.
import { Accounts } from '../../sandbox/accounts.mts';
import { Faults } from '../../sandbox/faults.mts';
import { RequestLog } from '../../sandbox/requestLog.mts';
import { renderPage } from '../../sandbox/page/renderPage.mts';
import { RecordStore } from '../../sandbox/recordStore.mts';

/** Its texts, each as one element holds it; with a record on the form. */
export function pageWords(): string[] {
	const faults = new Faults([], 0);
	const store = new RecordStore(':memory:');
	const record = store.insert('vendor', {});
	const state = {
		records: store,
		accounts: new Accounts({}),
		faults,
		requestLog: new RequestLog(faults),
	};
	const page = renderPage(state, { kind: 'vendor', offset: 0, record });
	store.close();
	return [...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim());
}
