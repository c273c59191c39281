// A trigger's state in n8n's static data, and its limits. test/simulation covers what a poll delivers and leaves for
// the next.
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { loadState, saveState } from '../../../engine/poll/pollState';
import { diffRows, rowEntriesOf, snapshotOf } from '../../../engine/poll/snapshot';

let staticData: IDataObject;
let shared: IDataObject;
beforeEach(() => {
	staticData = {};
	shared = {};
});
const given: Partial<IPollFunctions> = {
	getWorkflowStaticData: (type) => (type === 'node' ? staticData : shared),
	getNode: () => ({ id: '1', name: 'A' }) as INode,
};
const ctx = given as IPollFunctions;

test('a snapshot that is too large is an error, and replaces nothing', () => {
	saveState(ctx, 'a', 'x 1', []);
	const before = structuredClone(staticData);
	const tooMuch = 'x'.repeat(20_000_000);
	expect(() => saveState(ctx, 'a', tooMuch, [{}])).toThrow(/too long for the trigger: /);
	expect(staticData).toEqual(before);
});

test.each([
	[{ snapshot: 5 }],
	[{ snapshot: undefined }],
	[{ delivered: [{}] }],
	[{ deliveredBy: null }],
	[{ source: 7 }],
])('%j, edited by a person, makes the trigger start over', (edited) => {
	saveState(ctx, 'a', 'x 1', [{ changeType: 'added' }]);
	Object.assign(staticData, edited);
	expect(loadState(ctx, 'a')).toEqual({ startsOver: true, itemsToRepeat: [] });
	saveState(ctx, 'a', 'x 2', []);
	expect(loadState(ctx, 'a')).toEqual({ snapshot: 'x 2', itemsToRepeat: [] });
});

test('a long list whose rows all share an ID is compared in linear time', async () => {
	const rows = Array.from({ length: 60_000 }, (_, v) => ({ id: 1, v }));
	const before = await snapshotOf(await rowEntriesOf(rows, 'id', []));
	const changed = { id: 1, v: 'new' };
	const now = await rowEntriesOf([...rows.slice(1).reverse(), changed], 'id', []);
	expect(await diffRows(before, now)).toMatchObject([{ kind: 'changed', now: { row: changed } }]);
});
