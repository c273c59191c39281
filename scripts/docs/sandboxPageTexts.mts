// The texts on the sandbox's page.
import { Accounts } from '../../sandbox/accounts.mts';
import { defaultDialects } from '../../sandbox/dialects.mts';
import { Faults } from '../../sandbox/faults.mts';
import { RequestLog } from '../../sandbox/requestLog.mts';
import { renderPage } from '../../sandbox/page/renderPage.mts';
import { RecordStore } from '../../sandbox/recordStore.mts';

/** Each as one element holds it; a record is open in the form. */
export function sandboxPageTexts(): string[] {
	const accounts = new Accounts({});
	const faults = new Faults([], 0, accounts);
	const store = new RecordStore(':memory:');
	const record = store.insert('vendor', {});
	const state = {
		records: store,
		accounts,
		dialects: defaultDialects,
		faults,
		requestLog: new RequestLog(faults),
	};
	const page = renderPage(state, { kind: 'vendor', offset: 0, record }, '');
	store.close();
	return [...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim());
}
