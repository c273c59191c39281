// What one poll gives, and what it leaves for the next.
import type { IDataObject } from 'n8n-workflow';

import type { TriggerSettings } from '../../../engine/form/trigger';
import { merge, nextCursorAfter, type PollState } from '../../../engine/poll/merge';
import { rowEntriesOf } from '../../../engine/poll/snapshot';

const settings = {
	detectBy: 'fullComparison',
	triggerOn: ['added', 'changed', 'removed'],
	output: 'simplified',
	maxItems: 1000,
	onlyFields: [],
} as unknown as TriggerSettings;

async function mergeRows(
	state: PollState,
	rows: IDataObject[],
	more: Partial<TriggerSettings> = {},
) {
	const entries = await rowEntriesOf(rows, 'id', []);
	return merge(state, { entries, idField: 'id', deviated: false }, { ...settings, ...more });
}

const sizesOf = async (rows: IDataObject[], maxItems: number): Promise<number> =>
	(await mergeRows({ rows: '' }, rows, { maxItems })).items.length;

test('as many items as are wanted, or as there are', async () => {
	const rows = Array.from({ length: 5 }, (_, id) => ({ id }));
	expect(await sizesOf(rows, 3)).toBe(3);
	expect(await sizesOf(rows, 10)).toBe(5);
	expect(await sizesOf([], 10)).toBe(0);
});

/** A row whose item has so many characters as JSON. */
const rowOf = (characters: number) => ({
	a: 'x'.repeat(characters - JSON.stringify({ changeType: 'added', a: '' }).length),
});

test('no more items than n8n can keep, and always one', async () => {
	const million = Array.from({ length: 9 }, () => rowOf(1_000_000));
	expect(await sizesOf(million, 1000)).toBe(4);
	expect(await sizesOf([rowOf(5_000_000), rowOf(50)], 1000)).toBe(1);
	expect(await sizesOf([rowOf(3_999_999), rowOf(5_000_000), rowOf(50)], 1000)).toBe(2);
});

test('changes come portion by portion, each once, also of rows that share an ID or have none', async () => {
	const before = [{ id: 1, v: 1 }, { id: 2, v: 1 }, { id: 2, v: 1 }, { v: 1 }, { v: 2 }, { v: 2 }];
	const now = [{ id: 1, v: 2 }, { id: 2, v: 1 }, { id: 3, v: 1 }, { v: 2 }];
	const { items: all } = await mergeRows((await mergeRows({ rows: '' }, before)).nextState, now);
	expect(all).toHaveLength(5);
	for (const maxItems of [1, 2, 3]) {
		let { nextState: state } = await mergeRows({ rows: '' }, before);
		const given: IDataObject[] = [];
		for (let poll = 0; poll < all.length; poll++) {
			const { items, nextState } = await mergeRows(state, now, { maxItems });
			given.push(...items);
			state = nextState;
		}
		expect(given).toEqual(all);
	}
});

describe('rows that have lost their IDs', () => {
	test.each<[string, IDataObject[], IDataObject[], boolean]>([
		[
			'all of them',
			[
				{ id: 1, v: 1 },
				{ id: 2, v: 2 },
			],
			[{ v: 1 }, { v: 2 }],
			true,
		],
		[
			'one of them',
			[
				{ id: 1, v: 1 },
				{ id: 2, v: 2 },
			],
			[{ id: 1, v: 1 }, { v: 2 }],
			true,
		],
		['a new one', [{ id: 1, v: 1 }], [{ id: 1, v: 1 }, { v: 2 }], true],
		['some never had one', [{ id: 1, v: 1 }, { v: 2 }], [{ v: 3 }], false],
		['none ever had one', [{ v: 1 }], [{ v: 2 }], false],
	])('%s', async (_, before, now, fails) => {
		const { nextState } = await mergeRows({ rows: '' }, before);
		const merged = mergeRows(nextState, now);
		if (fails) await expect(merged).rejects.toThrow(/without 'id', which all rows had before/);
		else expect((await merged).items.length).toBeGreaterThan(0);
	});
});

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Minutes before now from which the next poll asks. */
const nextAsksFrom = (cursor: string | undefined, overlap: number): number => {
	const next = nextCursorAfter(cursor, { ...settings, detectBy: 'changesSince', overlap });
	return Math.round((Date.now() - Date.parse(next!)) / 60_000);
};

test.each<[string, number | undefined, number, number]>([
	['the first date is the overlap before now', undefined, 10, 10],
	['a later date than before', 60, 10, 10],
	['not before the date of this poll, when the overlap was raised', 60, 1440, 60],
	['a date in the future, of a clock that was set back, does not hold', -600, 10, 10],
])('%s', (_, cursor, overlap, expected) => {
	const from = cursor === undefined ? undefined : minutesFromNow(-cursor);
	expect(nextAsksFrom(from, overlap)).toBe(expected);
});

test.each([
	['stays', -60, true],
	['does not stay, if it is in the future', 600, false],
])('after an answer without rows the date %s', (_, minutes, stays) => {
	const cursor = minutesFromNow(minutes);
	const nextCursor = nextCursorAfter(cursor, { ...settings, detectBy: 'changesSince' });
	const reading = { entries: [], deviated: false, nextCursor };
	const { nextState } = merge({ rows: 'x 1', cursor }, reading, settings);
	expect(nextState.cursor).toBe(stays ? cursor : nextCursor);
	expect(nextState.rows !== '').toBe(stays);
});
