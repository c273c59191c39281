// A list is read page by page, with some pages requested ahead: every row comes out once and in order, however the
// service cuts its pages; where the service or the list changes meanwhile, there is an error or a hint.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	defaultConventions,
	type ServiceConventions,
} from '../../../../engine/form/serviceConventions';
import type { ListOperation } from '../../../../engine/area';
import { Failure } from '../../../../engine/failure';
import { layoutOf } from '../../../../engine/form/layout';
import type { Task } from '../../../../engine/kinds/job';
import { list } from '../../../../engine/kinds/list/readList';
import type { Answer, Send } from '../../../../engine/send/exchange';
import { SavedForm } from '../../../../engine/values/formInputs';
import { readItem } from '../../../../engine/values/item';
import { criticalInfrastructure } from '../../../../nodes/AgencyCriticalInfrastructure/criticalInfrastructure.area';
import { nemsis3 } from '../../../../nodes/AgencyNemsis3/nemsis3.area';
import { vendors } from '../../../../nodes/AgencyVendors/vendors.area';
import { nextTurn } from '../../../harness/eventLoop';

const listOf = ({ resources }: typeof vendors): ListOperation => {
	const operation = resources[0]!.operations.find(({ kind }) => kind === 'list');
	if (operation?.kind !== 'list') throw new Error('no list');
	return operation;
};

interface Asked {
	offset: number;
	limit: number;
}

/** What the service says, by the state it is in when it answers. */
type Says = (
	asked: Asked,
) => { rows: object[]; totalRows?: number; time?: number } | { status: number };

interface Given {
	says: Says;
	/** Vendors name their records, device codes do not. */
	area?: typeof vendors;
	pageSize?: number;
	offsetBase?: ServiceConventions['offsetBase'];
	maxParallelPages?: number;
	wanted?: number;
	start?: number;
	/** Turns of the event loop that an answer takes. */
	turns?: (offset: number) => number;
}

const answer = (body: object, status = 200): Answer => ({
	operation: listOf(vendors),
	method: 'GET',
	status,
	tries: 1,
	redact: (words) => words,
	maybeSent: true,
	text: JSON.stringify(body),
});

/** What the node reads of its form. */
function valuesOf(operation: ListOperation, parameters: IDataObject) {
	const { values, problems } = readItem(layoutOf(operation), {
		parameter: (name) => ({ output: 'raw', ...parameters })[name],
		json: {},
		timeZone: 'UTC',
		form: new SavedForm({}),
	});
	expect(problems).toEqual([]);
	return values;
}

/** That a list is empty is said whatever becomes of its pages; a test of its own is about it. */
const isOfPages = (hint: string) => !hint.startsWith('The service has no rows');

/** Reads a list with a fake of what sends. */
async function readBy(
	send: Send,
	operation: ListOperation,
	maxParallelPages: number,
	form: IDataObject,
	conventions: Partial<ServiceConventions>,
) {
	const hints: string[] = [];
	const hint = (text: string) => isOfPages(text) && hints.push(text);
	let rows: IDataObject[] = [];
	const task = {
		send,
		maxParallelPages,
		hint,
		conventions: { ...defaultConventions, ...conventions },
		operation,
		jobs: [{ itemIndex: 0, values: valuesOf(operation, form) }],
		settle: (_: number, results: IDataObject[]) => (rows = results),
	};
	const error = await list.send(task as unknown as Task<ListOperation>).then(
		() => undefined,
		(thrown: unknown) => thrown as Error,
	);
	return { error, rows, hints };
}

async function read(given: Given) {
	const {
		says,
		area = vendors,
		pageSize = 10,
		offsetBase = '0',
		maxParallelPages = 4,
		wanted,
		start = 0,
		turns,
	} = given;
	const operation = listOf(area);
	let underWay = 0;
	let most = 0;
	const offsets: number[] = [];
	const send: Send = async ({ query }, stop) => {
		const asked = { offset: Number(query.offset ?? 0), limit: Number(query.limit) };
		offsets.push(asked.offset);
		most = Math.max(most, ++underWay);
		try {
			for (let turn = turns?.(asked.offset) ?? 0; turn > 0; turn--) {
				await nextTurn();
				if (stop?.aborted) throw new Failure('stopped', 'notSent');
			}
			const said = says(asked);
			if ('status' in said) return answer({}, said.status);
			const { rows, ...others } = said;
			return answer({ ...others, [operation.rowsKey]: rows });
		} finally {
			underWay--;
		}
	};
	const form = {
		returnAll: wanted === undefined,
		limit: wanted,
		options: { offset: start },
	};
	const conventions = { pageSize, offsetBase };
	const result = await readBy(send, operation, maxParallelPages, form, conventions);
	await nextTurn();
	return { ...result, most, offsets, underWay };
}

const upTo = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

const recurring = expect.stringMatching(
	/The list changed while it was read, or has identical rows/,
);
const miscounted = expect.stringMatching(/sent more rows than its 'totalRows' says/);
const openEnd = expect.stringMatching(/The list may have more rows/);

const vendor = (id: number) => ({ departmentBusinessID: id, name: `Vendor ${id}` });
const device = (code: number) => ({ Element: 'dDevice.02', Code: code, Description: `D ${code}` });
const idsOf = (rows: object[]) =>
	rows.map((row) => (row as { departmentBusinessID: number }).departmentBusinessID);

type Numbers = (offset: number, n: number) => number | undefined;
const through: Numbers = (offset, n) => offset + n + 1;
const perPage: Numbers = (_offset, n) => n + 1;
const none: Numbers = () => undefined;

let stamp = 0;
/** Rows as the service sends them: with their numbers, and the time. */
const sent = (rows: object[], numbers: Numbers, offset: number) =>
	rows.map((row, n) => ({ rowNum: numbers(offset, n), ...row }));

/** A service that holds a list, and cuts its pages as asked. */
const holding =
	(rows: readonly object[], { numbers = through, cap = Infinity } = {}) =>
	({ offset, limit }: Asked) => ({
		totalRows: rows.length,
		rows: sent(rows.slice(offset, offset + Math.min(limit, cap)), numbers, offset),
	});

describe('a list that stands still', () => {
	const numbers = (max: number, min = 0) => fc.array(fc.integer({ min, max }), { minLength: 1 });
	const at = (values: number[]) => (offset: number) => values[offset % values.length]!;

	/** What the count of a service may mean. */
	const counts = {
		list: (total: number) => total,
		page: (_total: number, { length }: { length: number }) => length,
		rest: (total: number, { offset }: { offset: number }) => Math.max(0, total - offset),
	};

	const anything = fc.record({
		total: fc.integer({ min: 0, max: 300 }),
		pageSize: fc.integer({ min: 1, max: 60 }),
		maxParallelPages: fc.integer({ min: 1, max: 8 }),
		caps: numbers(50, 1),
		delays: numbers(3),
		start: fc.integer({ min: 0, max: 20 }),
		wanted: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
		numbering: fc.constantFrom(through, perPage, none),
		stamped: fc.boolean(),
	});

	test('every row once, in order, whatever the length, the order and the numbers of the pages', async () => {
		await fc.assert(
			fc.asyncProperty(anything, async (given) => {
				const { total, caps, delays, start, wanted, numbering, stamped, ...rest } = given;
				const all = upTo(0, total).map(vendor);
				const { rows, most, hints, error, underWay } = await read({
					...rest,
					start,
					wanted,
					turns: at(delays),
					says: (asked) => ({
						...holding(all, { numbers: numbering, cap: at(caps)(asked.offset) })(asked),
						...(stamped && { time: ++stamp }),
					}),
				});
				expect(error).toBeUndefined();
				expect(idsOf(rows)).toEqual(upTo(start, Math.min(total, start + (wanted ?? Infinity))));
				expect(most).toBeLessThanOrEqual(rest.maxParallelPages);
				expect(hints).toEqual([]);
				expect(underWay).toBe(0);
			}),
		);
	});

	test('equal rows that have no ID are all there; when they cannot be told from a page sent twice, that is said', async () => {
		const few = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });
		const settings = {
			pageSize: fc.integer({ min: 1, max: 8 }),
			cap: fc.integer({ min: 1, max: 8 }),
		};
		await fc.assert(
			fc.asyncProperty(
				few,
				fc.record(settings),
				fc.constantFrom(through, perPage, none),
				async (codes, { pageSize, cap }, numbering) => {
					const { rows, error, hints } = await read({
						area: nemsis3,
						pageSize,
						says: holding(codes.map(device), { numbers: numbering, cap }),
					});
					if (error) {
						expect(error.message).toMatch(/same page twice/);
						const length = Math.min(pageSize, cap);
						const pages = upTo(0, Math.floor(codes.length / length)).map((page) =>
							codes.slice(page * length, (page + 1) * length),
						);
						expect(
							pages.some(
								(page, n) => new Set(page).size > 1 && String(page) === String(pages[n - 1]),
							),
						).toBe(true);
					} else {
						expect(rows.map(({ Code }) => Code)).toEqual(codes);
						for (const hint of hints) expect(hint).toEqual(recurring);
					}
				},
			),
		);
	});

	test('every row is there whatever the service counts, and a hint where it counts something else', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 200 }),
				fc.integer({ min: 1, max: 40 }),
				fc.option(fc.constantFrom(10, 20, 25, 50), { nil: Infinity }),
				fc.constantFrom('list', 'page', 'rest'),
				fc.integer({ min: 1, max: 8 }),
				async (total, pageSize, cap, meaning, maxParallelPages) => {
					const all = upTo(0, total).map(vendor);
					const { rows, error, hints } = await read({
						pageSize,
						maxParallelPages,
						says: ({ offset, limit }) => {
							const page = all.slice(offset, offset + Math.min(limit, cap));
							const totalRows = counts[meaning](total, { offset, length: page.length });
							return { totalRows, rows: page };
						},
					});
					expect(error).toBeUndefined();
					const complete = rows.length === total;
					if (!complete) expect(hints.length).toBeGreaterThan(0);
					if (meaning !== 'rest') expect(idsOf(rows)).toEqual(upTo(0, total));
					const length = Math.min(pageSize, cap);
					if (meaning === 'list' || total <= length) expect(hints).toEqual([]);
					else expect(hints.length).toBeGreaterThan(0);
				},
			),
		);
	});

	test('with pages of equal length no request is in vain, and as many run at once as may', async () => {
		const { offsets, most, rows } = await read({
			pageSize: 100,
			says: holding(upTo(0, 1000).map(vendor), { cap: 50 }),
			turns: (offset) => (offset % 3) + 1,
		});
		expect(rows).toHaveLength(1000);
		expect(offsets).toEqual(upTo(0, 20).map((n) => 50 * n));
		expect(most).toBe(4);
	});
});

describe('a list that changes while it is read', () => {
	const change = fc.record({
		/** After so many answers. */
		after: fc.integer({ min: 1, max: 8 }),
		/** Where in the list. */
		place: fc.double({ min: 0, max: 1, noNaN: true }),
		/** Sorted by its last change, a row that is changed moves to the end. */
		does: fc.constantFrom('insert', 'remove', 'toTheEnd'),
	});

	test('rows that are there twice are said; rows that are missing, where the count tells', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 60 }),
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 1, max: 4 }),
				fc.array(change, { maxLength: 4 }),
				fc.constantFrom(through, perPage, none),
				async (total, pageSize, maxParallelPages, changes, numbering) => {
					let state = upTo(0, total).map(vendor);
					const first = idsOf(state);
					const removed = new Set<number>();
					let answers = 0;
					let nextID = 1000;
					const counted = new Set<number>();
					const { rows, error, hints } = await read({
						pageSize,
						maxParallelPages,
						turns: (offset) => (offset * 7) % 4,
						says: (asked) => {
							for (const { place, does } of changes.filter(({ after }) => after === answers)) {
								const where = Math.floor(place * state.length);
								if (does === 'insert') state = state.toSpliced(where, 0, vendor(nextID++));
								const old = state[where];
								if (!old || does === 'insert') continue;
								state = state.toSpliced(where, 1);
								if (does === 'remove') removed.add(old.departmentBusinessID);
								else state.push({ ...old, name: `${old.name}, changed` });
							}
							answers++;
							counted.add(state.length);
							return holding(state, { numbers: numbering })(asked);
						},
					});
					if (error) return expect(error).toBeInstanceOf(Failure);
					const ids = idsOf(rows);
					const missing = first.filter((id) => !removed.has(id) && !ids.includes(id));
					const isTwice = new Set(ids).size < ids.length;
					if (isTwice || (missing.length > 0 && counted.size === 2)) {
						expect(hints.length).toBeGreaterThan(0);
					}
					if (answers < 2) expect(hints).toEqual([]);
				},
			),
			{ numRuns: 500 },
		);
	});

	test.each<[string, (offset: number, n: number) => number, unknown[]]>([
		['have gaps', (offset, n) => 3 * (offset + n), []],
		['leave one out', (offset, n) => offset + n + (offset >= 20 ? 2 : 1), [recurring]],
	])('numbers that %s', async (_, numbers, expected) => {
		const all = holding(upTo(0, 45).map(vendor), { numbers });
		const { rows, hints } = await read({ says: all });
		expect(idsOf(rows)).toEqual(upTo(0, 45));
		expect(hints).toEqual(expected);
		const from1 = await read({
			offsetBase: '1',
			says: ({ offset, limit }) => all({ offset: Math.max(0, offset - 1), limit }),
		});
		expect([idsOf(from1.rows), from1.hints]).toEqual([upTo(0, 45), expected]);
	});
});

describe("an 'offset' that does not count from where the credential says", () => {
	const all = upTo(0, 45).map(vendor);
	/** A service whose `offset` counts from another number than the credential says. */
	const counting =
		(from: number, numbers: Numbers): Says =>
		({ offset, limit }) =>
			holding(all, { numbers })({ offset: Math.max(0, offset - from), limit });

	test.each<[string, Numbers]>([
		['rows are numbered', through],
		['each page is numbered anew', perPage],
		['rows have no numbers', none],
	])('from 1, and %s: an error that names the check', async (_, numbers) => {
		const { error, rows } = await read({ offsetBase: '0', says: counting(1, numbers) });
		expect(error?.message).toBe(
			"The second page starts with the last row of the first: 'offset' does not count from 0, although the credential says so",
		);
		expect((error as Failure).advice).toMatch(/^Run Agency Records Check.*'Offset Counts From'/);
		expect(rows).toEqual([]);
	});

	test.each([none, through])('from 0: the row that is missing is counted', async (numbers) => {
		const { error } = await read({ offsetBase: '1', says: counting(0, numbers) });
		expect(error?.message).toMatch(/list is incomplete: the service counts 45 rows/);
		expect((error as Failure).advice).toMatch(/'Offset Counts From'/);
	});

	test('from 1, as the credential says', async () => {
		const { error, rows, hints } = await read({ offsetBase: '1', says: counting(1, through) });
		expect([error, hints]).toEqual([undefined, []]);
		expect(idsOf(rows)).toEqual(upTo(0, 45));
	});
});

describe('a page that begins like the one before', () => {
	const ten = upTo(0, 10);
	const total = 35;
	test.each<[string, typeof vendors, (offset: number, limit: number) => object[]]>([
		['with per-page numbers', vendors, () => sent(ten.map(vendor), perPage, 0)],
		[
			'with its keys in another order',
			vendors,
			(offset) =>
				ten.map((n) => (offset ? { name: vendor(n).name, departmentBusinessID: n } : vendor(n))),
		],
		['shorter', vendors, (offset) => ten.slice(0, offset ? 4 : 10).map(vendor)],
		[
			'without IDs, in objects and lists',
			nemsis3,
			() => ten.map((n) => ({ Element: [{ a: {} }, { n }], Code: { b: 1, a: [] } })),
		],
	])('%s', async (_, area, rows) => {
		const { error, offsets } = await read({
			area,
			maxParallelPages: 1,
			says: ({ offset, limit }) => ({ totalRows: total, time: ++stamp, rows: rows(offset, limit) }),
		});
		expect(error?.message).toMatch(/same page twice, at row 10: it does not handle 'limit'/);
		const advice = expect.stringMatching(/Agency Records Check.*'Page Size'/) as string;
		expect(error).toMatchObject({ outcome: 'refused', advice });
		expect(offsets).toEqual([0, 10]);
	});

	test('shorter, as the Limit asks', async () => {
		const says: Says = ({ limit }) => ({ totalRows: total, rows: upTo(0, limit).map(device) });
		const { error } = await read({ area: nemsis3, wanted: 15, says });
		expect(error?.message).toMatch(/same page twice/);
	});

	test('1 and "1", null and nothing, [] and a list are different', async () => {
		const values = [1, '1', null, undefined, [], [1], true, false, '', 0, {}, -0.5];
		const codes = values.filter((value) => JSON.stringify(value) !== '{}');
		const { hints, error } = await read({
			area: nemsis3,
			pageSize: 1,
			says: holding(codes.map((notDescribed) => ({ Element: 'a', notDescribed }))),
		});
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
	});
});

test('more rows than counted, in a list without pages', async () => {
	const rows = upTo(0, 5).map((InfrastructureID) => ({ InfrastructureID }));
	const result = await read({ area: criticalInfrastructure, says: () => ({ totalRows: 3, rows }) });
	expect(result).toMatchObject({ rows, hints: [miscounted], offsets: [0] });
});

describe("a count that may be the page's", () => {
	/** Says how many rows the page has, instead of the list. */
	const countingPages =
		(total: number, cap = Infinity): Says =>
		({ offset, limit }) => {
			const rows = upTo(offset, Math.min(total, offset + Math.min(limit, cap))).map(vendor);
			return { totalRows: rows.length, rows };
		};

	test.each<[string, Partial<Given> & { says: Says }, number, number[], unknown[]]>([
		['full pages', { says: countingPages(25) }, 25, [0, 10, 20, 25], [miscounted]],
		['a list of exactly one', { says: countingPages(10) }, 10, [0, 10], []],
		[
			"the service's own bound",
			{ pageSize: 100, says: countingPages(60, 25) },
			60,
			[0, 25, 50, 60],
			[miscounted],
		],
		['the Limit is further on', { wanted: 15, says: countingPages(25) }, 15, [0, 10], [miscounted]],
		[
			'a service that knows no offset, and whose page had room for more rows',
			{ pageSize: 100, says: () => ({ totalRows: 10, rows: upTo(0, 10).map(vendor) }) },
			10,
			[0, 10],
			[openEnd],
		],
		...[400, 404, 416].map((status): [string, { says: Says }, number, number[], unknown[]] => [
			`a service that answers ${status} beyond the end`,
			{
				says: (asked) => (asked.offset < 10 ? countingPages(10)(asked) : { status }),
			},
			10,
			[0, 10],
			[openEnd],
		]),
		[
			'a service that sends its last page again beyond the end',
			{ says: ({ limit, offset }) => countingPages(20)({ limit, offset: Math.min(offset, 10) }) },
			20,
			[0, 10, 20],
			[miscounted, openEnd],
		],
		[
			'a last page that has more than was counted',
			{ says: (asked) => ({ ...countingPages(57)(asked), totalRows: 35 }) },
			57,
			[0, 10, 20, 30, 40, 50, 57],
			[miscounted],
		],
		[
			'a count that was wrong once, and is never relied on again',
			{
				says: (asked) => ({
					...countingPages(35)(asked),
					...(asked.offset >= 20 && { totalRows: 1000 }),
				}),
			},
			35,
			[0, 10, 20, 30, 35],
			[miscounted],
		],
	])('%s', async (_, given, total, offsets, hints) => {
		const result = await read(given);
		expect(result.error).toBeUndefined();
		const start = given.start ?? 0;
		expect(idsOf(result.rows)).toEqual(upTo(start, start + total));
		expect(result.offsets).toEqual(offsets);
		expect(result.hints).toEqual(hints);
	});

	test.each([10, undefined])(
		'a full page comes again and again, and may be the first of many: totalRows %p',
		async (totalRows) => {
			const { error, offsets } = await read({
				says: () => ({ totalRows, rows: upTo(0, 10).map(vendor) }),
			});
			expect(error?.message).toMatch(/same page twice, at row 10/);
			expect(offsets).toEqual([0, 10]);
		},
	);

	test.each<[number, Says]>([
		...[500, 304].map((status): [number, Says] => [status, countingPages(20)]),
		// Before all counted rows are there, these are no end of the list.
		[404, holding(upTo(0, 30).map(vendor))],
	])('the next page fails with %d, and so does the list', async (status, says) => {
		const { error } = await read({
			says: (asked) => (asked.offset === 10 ? { status } : says(asked)),
		});
		expect(error).toMatchObject({ details: { status } });
	});

	test('the list is not without end', async () => {
		const { error, offsets } = await read({
			pageSize: 300_000,
			says: ({ limit }) => ({ totalRows: limit, rows: Array<object>(limit).fill({}) }),
		});
		expect(error?.message).toMatch(/does not end/);
		expect(offsets.length).toBeLessThan(6);
	});

	test('nor does it grow for ever while it is read', async () => {
		const { error } = await read({
			pageSize: 100,
			says: ({ offset, limit }) => ({
				totalRows: offset + 200,
				rows: upTo(offset, offset + limit).map(vendor),
			}),
		});
		expect(error?.message).toMatch(
			/after 1500 rows the service still sends more, though it counted 200 rows at first/,
		);
	});

	test('nor does it go round in circles', async () => {
		const { error, offsets } = await read({
			says: ({ offset, limit }) => countingPages(50)({ offset: offset % 50, limit }),
		});
		expect(error?.message).toMatch(/does not end: after 60 rows.*sent before/);
		expect(offsets).toHaveLength(6);
	});
});

describe('a page that fails', () => {
	const all = upTo(0, 1000).map(vendor);
	/** The page at 500 fails when it is asked for; the others there never come, unless they are stopped. */
	const hanging = (offset: number) => (offset > 400 && offset !== 470 ? Infinity : offset % 7);
	const says: Says = (asked) => (asked.offset === 470 ? { status: 500 } : holding(all)(asked));

	test('ends the others at once, also those whose turn is before it', async () => {
		const { error, underWay, offsets } = await read({ maxParallelPages: 8, says, turns: hanging });
		expect(error).toMatchObject({ details: { status: 500 } });
		expect(underWay).toBe(0);
		expect(Math.max(...offsets)).toBeLessThanOrEqual(480);
	});

	test('ends them also when they do not hear of it', async () => {
		const deaf: Send = async ({ query }) => {
			const offset = Number(query.offset ?? 0);
			if (offset === 20) throw new Failure('broken', 'refused');
			if (offset > 0) await new Promise(() => {});
			return answer({ totalRows: 100, vendors: upTo(0, 10).map(vendor) });
		};
		const { error } = await readBy(deaf, listOf(vendors), 4, { returnAll: true }, { pageSize: 10 });
		expect(error?.message).toBe('broken');
	});
});

test('rows nested as deep as JSON may be are compared like others', async () => {
	const deep = (bottom: number) => `${'{"a":['.repeat(200)}${bottom}${']}'.repeat(200)}`;
	const pages = [deep(1), deep(2), deep(1)];
	const send: Send = async ({ query }) => ({
		...answer({}),
		text: `{"totalRows":3,"ddevice":[{"Element":${pages[Number(query.offset ?? 0)]}}]}`,
	});
	const form = { returnAll: true };
	const { rows, hints } = await readBy(send, listOf(nemsis3), 1, form, { pageSize: 1 });
	expect(rows).toHaveLength(3);
	expect(hints).toEqual([recurring]);
});

test('only the first page names the ETag, by which a list may be left out as not modified', async () => {
	const etags: unknown[] = [];
	const send: Send = ({ query, headers }) => {
		etags.push(headers.ETag);
		const offset = Number(query.offset ?? 0);
		return Promise.resolve(
			answer({ totalRows: 30, vendors: upTo(offset, offset + 10).map(vendor) }),
		);
	};
	const form = { returnAll: true, options: { etag: 'v1' } };
	const { rows, error } = await readBy(send, listOf(vendors), 4, form, { pageSize: 10 });
	expect([error, rows.length]).toEqual([undefined, 30]);
	expect(etags).toEqual(['v1', undefined, undefined]);
	const unmodified: Send = () => Promise.resolve(answer({}, 304));
	const again = await readBy(unmodified, listOf(vendors), 4, form, {});
	expect(again.rows).toEqual([{ notModified: true, etag: 'v1' }]);
});

test('no row beyond the wanted ones is asked for', async () => {
	const asked: Asked[] = [];
	const says: Says = (one) => {
		asked.push(one);
		return { rows: upTo(one.offset, one.offset + one.limit).map(vendor), totalRows: 1000 };
	};
	const { rows, error } = await read({ says, wanted: 25, start: 3 });
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(25);
	expect(asked).toEqual([
		{ offset: 3, limit: 10 },
		{ offset: 13, limit: 10 },
		{ offset: 23, limit: 5 },
	]);
});

test.each([
	['page by page', vendors, 20],
	['that has no pages and no row', criticalInfrastructure, 0],
])('a list %s that ends before its count is an error', async (_, area, length) => {
	const says: Says = ({ offset, limit }) => ({
		rows: upTo(offset, Math.min(offset + limit, length)).map(vendor),
		totalRows: 30,
	});
	const { error, rows } = await read({ says, area });
	expect(error?.message).toBe(
		`The list is incomplete: the service counts 30 rows, but sent none after row ${length}`,
	);
	expect(rows).toEqual([]);
});

test('a list without documented pages gives what came, and a hint the count', async () => {
	const says: Says = () => ({ rows: upTo(0, 50).map(vendor), totalRows: 230 });
	const { rows, hints } = await read({ says, area: criticalInfrastructure });
	expect(rows).toHaveLength(50);
	expect(hints).toEqual([
		'The service counts 230 rows, but sent only 50. The API documentation names no way to get the others: ask the service owner.',
	]);
});

test('a service that sends more rows than it was asked for: no more than the wanted ones are returned', async () => {
	const says: Says = ({ offset }) => ({
		rows: upTo(offset, offset + 10).map(vendor),
		totalRows: 1000,
	});
	for (const wanted of [4, 14]) {
		const { rows, error } = await read({ says, wanted });
		expect(error).toBeUndefined();
		expect(rows).toEqual(upTo(0, wanted).map(vendor));
	}
});

test.each([
	['row numbers show that it reads the offset', 12, undefined],
	['row numbers show that it does not', 0, /it may ignore 'offset'/],
	['nothing shows whether it reads the offset', undefined, /it may ignore 'offset'/],
])(
	"a service that ignores limit, and the first page is not the list's: %s",
	async (_, first, why) => {
		const says: Says = () => ({
			rows: upTo(0, 20).map((n) => ({
				...vendor(n),
				rowNum: first === undefined ? undefined : first + n + 1,
			})),
			totalRows: 40,
		});
		const { error, rows } = await read({ says, start: 12, wanted: 5 });
		expect(rows).toHaveLength(why ? 0 : 5);
		expect(error?.message ?? '').toMatch(why ?? /^$/);
	},
);

describe('a list of more rows than a run can hold', () => {
	const says =
		(totalRows: number): Says =>
		({ offset, limit }) => ({
			rows: upTo(offset, Math.min(offset + limit, totalRows)).map(vendor),
			totalRows,
		});

	test('is refused at its first page, when all of it is wanted', async () => {
		const { error, offsets } = await read({ says: says(1_000_001) });
		expect(error?.message).toMatch(/counts 1000001 rows, more than one run can return/);
		expect(offsets).toEqual([0]);
	});
});
