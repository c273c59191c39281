// A trigger's state in n8n's static data, and its limits. test/simulation covers what a poll delivers and leaves for
// the next.
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { loadState, saveState } from '../../../engine/poll/pollState';
import { diffRows, rowEntriesOf, snapshotOf } from '../../../engine/poll/snapshot';

let staticData: IDataObject;
let shared: IDataObject;
let node: Pick<INode, 'id' | 'name'>;
beforeEach(() => {
	staticData = {};
	shared = {};
	node = { id: '1', name: 'A' };
});
const given: Partial<IPollFunctions> = {
	getWorkflowStaticData: (type) => (type === 'node' ? staticData : shared),
	getNode: () => node as INode,
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

test('the copies for renamed triggers are bounded, and the latest are kept', () => {
	shared.others = 7;
	for (let id = 1; id <= 30; id++) {
		node = { id: `${id}`, name: `${id}` };
		staticData = {};
		saveState(ctx, 'a', `x ${id}`, []);
	}
	expect(Object.keys(shared).length).toBeLessThan(15);
	expect(shared.others).toBe(7);
	staticData = {};
	node = { id: '30', name: 'renamed' };
	expect(loadState(ctx, 'a').snapshot).toBe('x 30');
	node = { id: '1', name: 'renamed' };
	expect(loadState(ctx, 'a').snapshot).toBeUndefined();
});

test('a long list whose rows all share an ID is compared in linear time', async () => {
	const rows = Array.from({ length: 60_000 }, (_, v) => ({ id: 1, v }));
	const before = await snapshotOf(await rowEntriesOf(rows, 'id', []));
	const changed = { id: 1, v: 'new' };
	const now = await rowEntriesOf([...rows.slice(1).reverse(), changed], 'id', []);
	expect(await diffRows(before, now)).toMatchObject([{ kind: 'changed', now: { row: changed } }]);
});
