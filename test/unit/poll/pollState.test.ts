// What a trigger saves in n8n's static data, and its bounds. What a poll gives and leaves for the next is lived in
// test/simulation.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { TriggerSettings } from '../../../engine/form/trigger';
import { merge, nextCursorAfter } from '../../../engine/poll/merge';

import { loadState, saveState } from '../../../engine/poll/pollState';
import { diffRows, rowEntriesOf, snapshotOf } from '../../../engine/poll/snapshot';

let staticData: IDataObject;
beforeEach(() => (staticData = {}));
const ctx = { getWorkflowStaticData: () => staticData } as unknown as IPollFunctions;

test('too much is an error, and replaces nothing', () => {
	saveState(ctx, 'a', { rows: 'x 1' }, []);
	const before = structuredClone(staticData);
	const tooMuch = { rows: 'x'.repeat(20_000_000) };
	expect(() => saveState(ctx, 'a', tooMuch, [{}])).toThrow(/too long for the trigger: /);
	expect(staticData).toEqual(before);
});

test('static data that is no object is told: nothing could be remembered in it', () => {
	const edited = { getWorkflowStaticData: () => null } as unknown as IPollFunctions;
	expect(() => loadState(edited, 'a')).toThrow(/static data in n8n is not an object/);
});

test.each([
	[{ rows: 5 }],
	[{ rows: undefined }],
	[{ cursor: {} }],
	[{ delivered: [{}] }],
	[{ deliveredBy: null }],
	[{ basis: 7 }],
])('%j, which a person has written, is begun anew', (edited) => {
	saveState(ctx, 'a', { rows: 'x 1' }, [{ changeType: 'added' }]);
	Object.assign(staticData, edited);
	expect(loadState(ctx, 'a')).toEqual({ startsOver: true });
	saveState(ctx, 'a', { rows: 'x 2' }, []);
	expect(loadState(ctx, 'a')).toEqual({ state: { rows: 'x 2' } });
});

/** A row whose item has so many characters as JSON. */
const rowOf = (characters: number) => ({
	a: 'x'.repeat(characters - JSON.stringify({ changeType: 'added', a: '' }).length),
});

test('no more items are given than n8n can keep or a person wants, and always one', async () => {
	const countOf = async (rows: IDataObject[], maxItems = 1000) => {
		const settings = { triggerOn: ['added'], output: 'simplified', maxItems, onlyFields: [] };
		const reading = { entries: await rowEntriesOf(rows, 'id', []), idField: 'id', deviated: false };
		return merge({ rows: '' }, reading, settings as unknown as TriggerSettings).items.length;
	};
	expect(await countOf(Array.from({ length: 9 }, () => rowOf(1_000_000)))).toBe(4);
	expect(await countOf([rowOf(5_000_000), rowOf(50)])).toBe(1);
	expect(await countOf([rowOf(3_999_999), rowOf(5_000_000), rowOf(50)])).toBe(2);
	expect(await countOf([rowOf(50), rowOf(50), rowOf(50)], 2)).toBe(2);
});

test('a long list whose rows all share an ID is compared row by row, and not each with each', async () => {
	const rows = Array.from({ length: 60_000 }, (_, v) => ({ id: 1, v }));
	const before = snapshotOf(await rowEntriesOf(rows, 'id', []));
	const changed = { id: 1, v: 'new' };
	const now = await rowEntriesOf([...rows.slice(1).reverse(), changed], 'id', []);
	expect(diffRows(before, now, 'id')).toMatchObject([{ kind: 'changed', row: changed }]);
});

test.each<[string, number | undefined, number, number]>([
	['the first date is the overlap before now', undefined, 10, 10],
	['a later date than before', 60, 10, 10],
	['not before the date of this poll, when the overlap was raised', 60, 1440, 60],
	['a date in the future, of a clock that was set back, does not hold', -600, 10, 10],
])('the next poll asks from: %s', (_, minutesAgo, overlap, expected) => {
	const cursor = minutesAgo && new Date(Date.now() - minutesAgo * 60_000).toISOString();
	const settings = { detectBy: 'changesSince', overlap } as unknown as TriggerSettings;
	const next = nextCursorAfter(cursor || undefined, settings)!;
	expect(Math.round((Date.now() - Date.parse(next)) / 60_000)).toBe(expected);
});
