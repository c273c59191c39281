// Reading a list page by page, ahead of its turn: every row once and in order, however the service cuts its pages.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../engine/failure';
import type { Service } from '../../engine/kinds/job';
import { list } from '../../engine/kinds/list';
import { layout } from '../../engine/form/layout';
import type { ServiceRequest } from '../../engine/request/request';
import { readItem } from '../../engine/values/item';
import { vendors } from '../../nodes/AgencyVendors/vendors.area';

const operation = vendors.resources[0]!.operations.find(({ kind }) => kind === 'list')!;
if (operation.kind !== 'list') throw new Error('no list');

interface Given {
	total: number;
	pageSize: number;
	pagesAhead: number;
	/** Most rows of a page that begins there. */
	cap: (offset: number) => number;
	/** Fails there. */
	fails?: (offset: number) => boolean;
	/** Answers 304 there. */
	unchanged?: (offset: number) => boolean;
	/** Turns of the event loop that an answer takes. */
	turns: (offset: number) => number;
	wanted?: number;
	start?: number;
}

async function read(given: Given) {
	const { total, pageSize, pagesAhead, cap, turns, fails, unchanged, wanted, start = 0 } = given;
	let underWay = 0;
	let most = 0;
	const offsets: number[] = [];
	const send = async ({ query }: ServiceRequest) => {
		const offset = Number(query.offset ?? 0);
		offsets.push(offset);
		most = Math.max(most, ++underWay);
		for (let turn = turns(offset); turn > 0; turn--) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		underWay--;
		if (fails?.(offset)) throw new Failure('broken', 'refused');
		const count = Math.max(0, Math.min(Number(query.limit), cap(offset), total - offset));
		const rows = Array.from({ length: count }, (_, n) => ({ rowNum: offset + n + 1 }));
		const text = JSON.stringify({ totalRows: total, vendors: rows });
		const status = unchanged?.(offset) ? 304 : 200;
		return { method: 'GET' as const, status, reached: { sent: true, status }, text };
	};
	const parameters: IDataObject = {
		returnAll: wanted === undefined,
		limit: wanted,
		options: { pageSize, offset: start },
	};
	const { values, problems } = readItem(layout(operation as never), {
		parameter: (name) => parameters[name],
		json: {},
		zone: 'UTC',
	});
	expect(problems).toEqual([]);
	const hints: string[] = [];
	const service = { send, pagesAhead, hint: (text: string) => hints.push(text) };
	const job = { itemIndex: 0, values };
	const rows = await list(service as unknown as Service, operation as never, job).catch(
		(error: unknown) => error as Failure,
	);
	return { rows, most, offsets, hints, underWay: () => underWay };
}

const upTo = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, n) => ({ rowNum: from + n + 1 }));
const numbers = (max: number, min = 0) => fc.array(fc.integer({ min, max }), { minLength: 1 });
const at = (values: number[]) => (offset: number) => values[offset % values.length]!;

const anything = fc.record({
	total: fc.integer({ min: 0, max: 300 }),
	pageSize: fc.integer({ min: 1, max: 60 }),
	pagesAhead: fc.integer({ min: 1, max: 8 }),
	caps: numbers(50, 1),
	delays: numbers(3),
	start: fc.integer({ min: 0, max: 20 }),
	wanted: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
});

test('every row once, in order, whatever the length and the order of the pages', async () => {
	await fc.assert(
		fc.asyncProperty(anything, async ({ total, caps, delays, start, wanted, ...rest }) => {
			const { rows, most, hints, underWay } = await read({
				...rest,
				total,
				start,
				wanted,
				cap: at(caps),
				turns: at(delays),
			});
			expect(rows).toEqual(upTo(start, Math.min(total, start + (wanted ?? Infinity))));
			expect(most).toBeLessThanOrEqual(rest.pagesAhead);
			expect(hints).toEqual([]);
			expect(underWay()).toBe(0);
		}),
	);
});

test('with pages of equal length no request is in vain, and as many run at once as may', async () => {
	const { offsets, most, rows } = await read({
		total: 1000,
		pageSize: 100,
		pagesAhead: 4,
		cap: () => 50,
		turns: (offset) => (offset % 3) + 1,
	});
	expect(rows).toHaveLength(1000);
	expect(offsets).toEqual(Array.from({ length: 20 }, (_, n) => 50 * n));
	expect(most).toBe(4);
});

test('a page that fails fails the list, once all that were asked for have ended', async () => {
	const { rows, underWay } = await read({
		total: 1000,
		pageSize: 10,
		pagesAhead: 8,
		cap: () => 10,
		turns: (offset) => offset % 7,
		fails: (offset) => offset === 500,
	});
	expect(rows).toBeInstanceOf(Failure);
	expect(underWay()).toBe(0);
});

test('"not modified" in the middle of a list is not taken for its rows', async () => {
	const { rows } = await read({
		total: 100,
		pageSize: 10,
		pagesAhead: 2,
		cap: () => 10,
		turns: () => 0,
		unchanged: (offset) => offset === 50,
	});
	expect(rows).toBeInstanceOf(Failure);
});
