// Lists are read page by page, with some pages requested ahead: every row is returned once and in order, however the
// service cuts its pages; if the service deviates or the list changes meanwhile, there is an error or a hint.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { FinalResponse } from '../../../../engine/response/judge';
import { judgedTry } from '../../../../engine/response/responseData';
import type { ListOperation } from '../../../../engine/area';
import { Failure } from '../../../../engine/failure';
import type { Task } from '../../../../engine/kinds/job';
import { list } from '../../../../engine/kinds/list/readList';
import type { Send } from '../../../../engine/send/serviceAccess';
import { criticalInfrastructure } from '../../../../nodes/AgencyCriticalInfrastructure/criticalInfrastructure.area';
import { nemsis3 } from '../../../../nodes/AgencyNemsis3/nemsis3.area';
import { vendors } from '../../../../nodes/AgencyVendors/vendors.area';
import { nextTurn } from '../../../harness/eventLoop.cts';
import { jobOf, tryOf } from '../../operation.cts';

const listOf = ({ resources }: typeof vendors): ListOperation => {
	const operation = resources[0]!.operations.find(({ kind }) => kind === 'list');
	if (operation?.kind !== 'list') throw new Error('no list');
	return operation;
};

interface Asked {
	offset: number;
	limit: number;
}

/** The service's response, by its state at that moment. */
type Says = (
	asked: Asked,
) => { rows: object[]; totalRows?: number } | { text: string } | { status: number };

interface Given {
	says: Says;
	/** Vendors name their records, device codes do not. */
	area?: typeof vendors;
	pageSize?: number;
	maxParallelPages?: number;
	wanted?: number;
	start?: number;
	etag?: string;
	/** Turns of the event loop that a response takes. */
	turns?: (offset: number) => number;
	/** Whether requests that take forever ignore the signal to end. */
	isDeaf?: boolean;
}

/** The hint of rows beyond the limit. */
const limited = (rows: number, count: number, start = 0): string[] =>
	start + rows < count ? [`${rows} of ${count.toLocaleString('en-US')} rows: 'Limit'.`] : [];

/** The hint about an empty list does not depend on pages; it has a test of its own. */
const isOfPages = (hint: string) => !hint.startsWith('The service has no rows');

const upTo = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
/** The rows' identities here: the IDs of vendors, the codes of devices. */
const idsOf = (rows: readonly IDataObject[]) =>
	rows.map(({ departmentBusinessID, Code }) => departmentBusinessID ?? Code);

/** Reads a list with a fake send function. */
async function read(given: Given) {
	const { says, area = vendors, pageSize = 10, maxParallelPages = 4 } = given;
	const { wanted, start = 0, etag, turns = () => 0, isDeaf } = given;
	const operation = listOf(area);
	let [underWay, most] = [0, 0];
	const asked: Asked[] = [];
	const etags: unknown[] = [];
	const bodyOf = (said: ReturnType<Says>) => {
		if ('text' in said) return said.text;
		if ('status' in said) return '{}';
		const { rows, ...others } = said;
		return JSON.stringify({ ...others, [operation.rowsKey]: rows });
	};
	const response = (page: Asked): FinalResponse => {
		const said = says(page);
		const status = 'status' in said ? said.status : 200;
		const shown = { status, text: bodyOf(said), quote: (text: string) => text };
		return judgedTry({ ...tryOf(operation), ...shown });
	};
	const send: Send = async ({ query, headers }, stop) => {
		const page = { offset: Number(query.offset ?? 0), limit: Number(query.limit) };
		asked.push(page);
		etags.push(headers.ETag);
		most = Math.max(most, ++underWay);
		try {
			for (let turn = turns(page.offset); turn > 0; turn--) {
				await (isDeaf ? new Promise(() => {}) : nextTurn());
				if (stop?.aborted) throw new Failure('stopped', 'notSent');
			}
			return response(page);
		} finally {
			underWay--;
		}
	};
	const form: IDataObject = {
		output: 'raw',
		returnAll: wanted === undefined,
		limit: wanted,
		options: { offset: start, ...(etag && { etag }) },
	};
	const hints: string[] = [];
	let rows: readonly IDataObject[] = [];
	const task: Task<ListOperation> = {
		send,
		maxParallelPages,
		hint: (text) => isOfPages(text) && hints.push(text),
		pageSize,
		operation,
		jobs: [jobOf(operation, form)],
		settle: (_, results) => (rows = results as IDataObject[]),
	};
	const failure = await list.run(task).then(
		() => undefined,
		(thrown: Failure) => thrown,
	);
	await nextTurn();
	const { message: error, outcome, advice, details } = failure ?? {};
	const offsets = asked.map(({ offset }) => offset);
	const limits = asked.map(({ limit }) => limit);
	const told = { error, outcome, advice, status: details?.status, hints };
	return { ...told, rows, ids: idsOf(rows), offsets, limits, etags, most, underWay };
}
type Outcome = Partial<Awaited<ReturnType<typeof read>>>;
type Row = [name: string, says: Says, Outcome, more?: Partial<Given>];

const recurring = expect.stringMatching(/The list may have changed while it was read/) as string;
const miscounted = expect.stringMatching(/sent more rows than its 'totalRows' says/) as string;
const openEnd = expect.stringMatching(/The list may have more rows/) as string;

const vendor = (id: number) => ({ departmentBusinessID: id, name: `Vendor ${id}` });
const device = (code: number) => ({ Element: 'dDevice.02', Code: code, Description: `D ${code}` });

type Numbers = (offset: number, n: number) => number | undefined;
const through: Numbers = (offset, n) => offset + n + 1;
const perPage: Numbers = (_offset, n) => n + 1;
const gaps: Numbers = (offset, n) => 3 * (offset + n);
const none: Numbers = () => undefined;

/** Rows as the service sends them: with their numbers. */
const sent = (rows: object[], numbers: Numbers, offset: number) =>
	rows.map((row, n) => ({ rowNum: numbers(offset, n), ...row }));

/** A service that holds a list, and cuts its pages as asked. */
const holding =
	(rows: readonly object[], { numbers = through, cap = Infinity } = {}) =>
	({ offset, limit }: Asked) => ({
		totalRows: rows.length,
		rows: sent(rows.slice(offset, offset + Math.min(limit, cap)), numbers, offset),
	});

const numbers = (max: number, min = 0) => fc.array(fc.integer({ min, max }), { minLength: 1 });
const at = (values: number[]) => (offset: number) => values[offset % values.length]!;

const anything = fc.record({
	total: fc.integer({ min: 0, max: 300 }),
	pageSize: fc.integer({ min: 1, max: 60 }),
	maxParallelPages: fc.integer({ min: 1, max: 8 }),
	caps: numbers(50, 1),
	delays: numbers(3),
	start: fc.integer({ min: 0, max: 20 }),
	wanted: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
	numbering: fc.constantFrom(through, perPage, none),
});

test('every row of an unchanging list is read once and in order, whatever its pages look like', async () => {
	await fc.assert(
		fc.asyncProperty(anything, async (given) => {
			const { total, delays, wanted, numbering, caps, ...rest } = given;
			const { start } = rest;
			const all = upTo(0, total).map(vendor);
			const { rows, most, hints, error, underWay } = await read({
				...rest,
				wanted,
				turns: at(delays),
				says: (asked) => holding(all, { numbers: numbering, cap: at(caps)(asked.offset) })(asked),
			});
			expect(error).toBeUndefined();
			expect(idsOf(rows)).toEqual(upTo(start, Math.min(total, start + (wanted ?? Infinity))));
			expect(most).toBeLessThanOrEqual(rest.maxParallelPages);
			expect(hints).toEqual(rows.length === wanted ? limited(wanted, total, start) : []);
			expect(underWay).toBe(0);
		}),
	);
});

const done = (length: number, hints: string[] = [], offsets?: number[]): Outcome => ({
	error: undefined,
	ids: upTo(0, length),
	hints,
	...(offsets && { offsets }),
});
const fails = (error: RegExp, more: Outcome = {}): Outcome => ({
	error: expect.stringMatching(error) as string,
	rows: [],
	...more,
});
const ten = upTo(0, 10);
const list45 = upTo(0, 45).map(vendor);

describe("'offset' is the number of rows to skip", () => {
	const all = [0, 10, 20, 30, 40];
	test.each<[string, Partial<Given> & { total?: number; numbers?: Numbers }, number[]]>([
		['row numbers', {}, all],
		['row numbers alone', { area: nemsis3 }, all],
		['row numbers of each page', { numbers: perPage }, all],
		['numbers with gaps', { numbers: gaps }, all],
		['IDs alone', { numbers: none }, all],
		['pages of one row', { pageSize: 1, total: 3 }, [0, 1, 2]],
		['one full page', { total: 10 }, [0, 10]],
		['a page for each row that is still wanted', { wanted: 15 }, [0, 10]],
		['full pages', { total: 20 }, [0, 10]],
		['from the second row on', { start: 1 }, [1, 11, 21, 31, 41]],
		['from the middle on', { start: 30, wanted: 12 }, [30, 40]],
		['in the middle of nothing', { start: 5, total: 0 }, [5]],
	])('%s', async (_, { total = 45, start = 0, wanted, numbers, ...given }, offsets) => {
		const rows = upTo(0, total).map((n) => (given.area ? device(n) : vendor(n)));
		const says = holding(rows, { numbers });
		const ids = upTo(start, Math.min(total, start + (wanted ?? Infinity)));
		const hints = limited(wanted ?? total, total, start);
		const expected = { error: undefined, hints, ids, offsets };
		expect(await read({ says, start, wanted, ...given })).toMatchObject(expected);
	});

	test('no page requests more rows than wanted', async () => {
		const { limits, ids } = await read({ says: holding(list45), wanted: 33 });
		expect([limits, ids]).toEqual([[10, 10, 10, 3], upTo(0, 33)]);
	});

	const nineTwice = [...ten, 9, ...upTo(10, 44)];
	/** In its second page, a list begins with the row that ended the first. */
	test.each<[string, Says, Partial<Given>?]>([
		[
			'a row came in at the beginning, while another went',
			(asked) => holding(asked.offset ? [vendor(99), ...list45.slice(0, 44)] : list45)(asked),
		],
		[
			'a row came in at the beginning',
			(asked) => holding(asked.offset ? [vendor(99), ...list45] : list45, { numbers: none })(asked),
		],
		['a row is there twice', holding(nineTwice.map(vendor))],
		...[through, perPage, none, (() => 0) as Numbers].map(
			(numbers): [string, Says, Partial<Given>] => [
				`a row without ID is there twice: ${numbers.name}`,
				holding(nineTwice.map(device), { numbers }),
				{ area: nemsis3 },
			],
		),
	])('%s', async (_, says, given = {}) => {
		const { ids, hints, error } = await read({ says, ...given });
		const expected = [...ten, 9, ...upTo(10, ids.length - 1)];
		expect([error, hints, ids]).toEqual([undefined, [recurring], expected]);
	});
});

const sentAgain = fails(/rows again instead of those after row 10: it does not handle 'limit'/, {
	outcome: 'refused',
	advice: expect.stringMatching(/^Set 'Page Size' .* to more rows than the list has/) as string,
	offsets: [0, 10],
});
/** Claims that these are its 35 rows, whatever the offset. */
const repeating =
	(rowsAt: (asked: Asked) => object[]): Says =>
	(asked) => ({ totalRows: 35, rows: rowsAt(asked) });
const oneByOne = { maxParallelPages: 1 };
/** Values that distinguish rows without an ID: 1 and "1", null and nothing, [] and a list … */
const codes = [1, '1', null, undefined, [], [1], true, false, '', 0, -0.5];

/** Counts the rows of the page instead of the list. */
const countingPages =
	(total: number, cap = Infinity): Says =>
	({ offset, limit }) => {
		const rows = upTo(offset, Math.min(total, offset + Math.min(limit, cap))).map(vendor);
		return { totalRows: rows.length, rows };
	};
/** A count that differs from the number of rows. */
const counted =
	(totalRows: number, rows: number): Says =>
	({ offset, limit }) => ({
		rows: upTo(offset, Math.min(offset + limit, rows)).map(vendor),
		totalRows,
	});
/** Always the same rows. */
const always =
	(rows: object[], totalRows?: number): Says =>
	() => ({ rows, totalRows });
const devices = { area: nemsis3 };
const withoutPages = { area: criticalInfrastructure };
const hundred = { pageSize: 100 };
const equal30: IDataObject[] = Array<IDataObject>(30).fill(device(1));

test.each<Row>([
	// A page of rows that were sent before.
	['numbered rows again', repeating(() => sent(ten.map(vendor), perPage, 0)), sentAgain, oneByOne],
	[
		'rows again, fewer of them',
		repeating(({ offset }) => ten.slice(0, offset ? 4 : 10).map(vendor)),
		sentAgain,
		oneByOne,
	],
	[
		'rows again that have no IDs, in objects and lists',
		repeating(() => ten.map((n) => ({ Element: [{ a: {} }, { n }], Code: { b: 1, a: [] } }))),
		sentAgain,
		{ ...devices, ...oneByOne },
	],
	[
		'rows again, as many as the Limit asks for',
		repeating(({ limit }) => upTo(0, limit).map(device)),
		sentAgain,
		{ ...devices, wanted: 15 },
	],
	[
		'rows that differ in the kind of a value alone',
		holding(codes.map((notDescribed) => ({ Element: 'a', notDescribed }))),
		{ error: undefined, hints: [] },
		{ ...devices, pageSize: 1 },
	],
	[
		'pages of one row, whose number is 1',
		holding([0, 0, 1].map(device), { numbers: perPage }),
		{ error: undefined, hints: [recurring], ids: [0, 0, 1] },
		{ ...devices, pageSize: 1 },
	],
	// A count that may be the page's.
	['full pages', countingPages(25), done(25, [miscounted], [0, 10, 20, 25])],
	['a list of exactly one', countingPages(10), done(10, [], [0, 10])],
	['fewer rows than asked for: all', countingPages(60, 25), done(25, [], [0]), hundred],
	['the Limit is further on', countingPages(25), done(15, [miscounted], [0, 10]), { wanted: 15 }],
	...[400, 404, 416].map((status): [string, Says, Outcome] => [
		`a service that returns ${status} beyond the end`,
		(asked) => (asked.offset < 10 ? countingPages(10)(asked) : { status }),
		done(10, [openEnd], [0, 10]),
	]),
	[
		'a service that sends its last page again beyond the end',
		({ limit, offset }) => countingPages(20)({ limit, offset: Math.min(offset, 10) }),
		done(20, [miscounted, openEnd], [0, 10, 20]),
	],
	['a last page with more', counted(35, 57), done(57, [miscounted], [0, 10, 20, 30, 40, 50, 57])],
	[
		'a count that was wrong once, and is never relied on again',
		(asked) => ({ ...countingPages(35)(asked), ...(asked.offset >= 20 && { totalRows: 1000 }) }),
		done(35, [miscounted], [0, 10, 20, 30, 35]),
	],
	...[10, undefined].map((totalRows): [string, Says, Outcome] => [
		`a full page that comes again, and may be the first of many: totalRows ${totalRows}`,
		always(ten.map(vendor), totalRows),
		sentAgain,
	]),
	// None of these ends the list before all counted rows have arrived.
	...[500, 304, 404].map((status): [string, Says, Outcome] => [
		`a next page that fails with ${status}`,
		(asked) => (asked.offset === 10 ? { status } : holding(list45)(asked)),
		{ status },
	]),
	[
		'no end',
		({ limit }) => ({ rows: Array<object>(limit).fill({}), totalRows: limit }),
		fails(/rows again instead of those after row 1000/, { offsets: [0, 1000] }),
		{ pageSize: 1000 },
	],
	[
		'growth for ever',
		(asked) => counted(asked.offset + 200, Infinity)(asked),
		fails(/^The list has at least 1,001,000 rows, more than one run can return$/),
		{ pageSize: 1000, start: 999_000 },
	],
	[
		'circles',
		({ offset, limit }) => countingPages(50)({ offset: offset % 50, limit }),
		done(50, [miscounted, openEnd], [0, 10, 20, 30, 40, 50]),
	],
	[
		'an end before its count',
		counted(30, 20),
		fails(/^The list is incomplete: the service counts more rows, but sent none after row 20$/),
	],
	[
		'no row although it counts some, without documented pages',
		counted(30, 0),
		fails(/^The list is incomplete: the service counts more rows, but sent none after row 0$/),
		withoutPages,
	],
	[
		'more rows than counted, without documented pages',
		always(upTo(0, 5).map(vendor), 3),
		done(5, [miscounted], [0]),
		withoutPages,
	],
	[
		'fewer rows than counted, without documented pages',
		always(upTo(0, 50).map(vendor), 230),
		done(50, [
			'The service counts 230 rows, but sent only 50. The API documentation names no way to get the others: ask the service owner.',
		]),
		withoutPages,
	],
	...[4, 14].map((wanted): [string, Says, Outcome, Partial<Given>] => [
		`more rows than the ${wanted} that are wanted`,
		({ offset }) => counted(1000, 1000)({ offset, limit: 10 }),
		done(wanted, limited(wanted, 1000)),
		{ wanted },
	]),
	[
		'no count: pages are read until one is empty',
		(asked) => ({ ...holding(list45)(asked), totalRows: undefined }),
		{ error: undefined, ids: upTo(0, 45), offsets: [0, 10, 20, 30, 40, 45] },
	],
	[
		'no count, and fewer rows than were asked for',
		({ offset }) => ({ rows: list45.slice(offset, offset + 9) }),
		{ error: undefined, ids: upTo(0, 45), offsets: [0, 9, 18, 27, 36, 45] },
	],
	[
		'no count, and one row whatever is asked for',
		() => ({ rows: equal30.slice(0, 1) }),
		{ error: undefined, rows: equal30.slice(0, 1), offsets: [0, 1] },
		devices,
	],
	[
		'equal rows, and counts none of them',
		({ limit, offset }) => ({ rows: equal30.slice(offset, offset + limit) }),
		{ error: undefined, rows: equal30 },
		devices,
	],
	// A list that changes while it is read.
	['one more', (asked) => counted(asked.offset < 20 ? 45 : 46, 46)(asked), done(46, [recurring])],
	[
		'so many rows more, at the beginning, that the second page begins as the first did',
		({ offset, limit }) =>
			counted(offset ? 55 : 45, 45)({ offset: Math.max(0, offset - 10), limit }),
		{ error: undefined, ids: [...ten, ...upTo(0, 45)], hints: [recurring] },
	],
	[
		'a page twice, although its count has grown',
		({ offset }) => ({ rows: ten.map(vendor), totalRows: offset ? 46 : 45 }),
		sentAgain,
		oneByOne,
	],
	[
		'a page that begins as the one before, and goes on in another way',
		holding([1, 2, 1, 3].map(device)),
		{ error: undefined, hints: [recurring], offsets: [0, 2] },
		{ ...devices, pageSize: 2 },
	],
	[
		'all rows from the offset on, whatever the limit',
		({ offset }) => counted(40, 40)({ offset, limit: 40 }),
		{ error: undefined, ids: upTo(12, 17), hints: limited(5, 40, 12) },
		{ start: 12, wanted: 5 },
	],
	[
		'more rows than a run can hold, when all are wanted',
		counted(1_000_001, 1_000_001),
		fails(/has at least 1,000,001 rows, more than one run can return/, { offsets: [0] }),
	],
	[
		'rows nested as deep as JSON may be',
		({ offset }) => ({
			text: `{"totalRows":3,"ddevice":[{"Element":${'{"a":['.repeat(200)}${offset % 2}${']}'.repeat(200)}}]}`,
		}),
		{ error: undefined, hints: [recurring], offsets: [0, 1, 2] },
		{ ...devices, ...oneByOne, pageSize: 1 },
	],
])('the service sends %s', async (_, says, expected, more = {}) => {
	expect(await read({ says, ...more })).toMatchObject(expected);
});

describe('a page that fails', () => {
	test('ends the others at once, even those in front of it', async () => {
		const { status, underWay, offsets } = await read({
			maxParallelPages: 8,
			// The page at 470 fails when requested; the others near it never arrive unless they are stopped.
			turns: (offset) => (offset > 400 && offset !== 470 ? Infinity : offset % 7),
			says: (asked) =>
				asked.offset === 470 ? { status: 500 } : holding(upTo(0, 1000).map(vendor))(asked),
		});
		expect([status, underWay]).toEqual([500, 0]);
		expect(Math.max(...offsets)).toBeLessThanOrEqual(480);
	});

	test('ends the others even if they ignore the signal', async () => {
		const { status } = await read({
			isDeaf: true,
			turns: (offset) => (offset === 0 || offset === 20 ? 0 : Infinity),
			says: (asked) => (asked.offset === 20 ? { status: 500 } : holding(list45)(asked)),
		});
		expect(status).toBe(500);
	});
});

test("only the first page's request has the ETag", async () => {
	const { error, rows, etags } = await read({ etag: 'v1', says: counted(30, 30) });
	expect([error, rows.length, etags]).toEqual([undefined, 30, ['v1', undefined, undefined]]);
});
