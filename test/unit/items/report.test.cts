// The report of a stopped run: which items the service has processed, and which it has not.
import type { Operation } from '../../../engine/area';
import { Failure } from '../../../engine/failure';
import { countsInWords, reportOf as reportOfItems, rowsHint } from '../../../engine/items/report';
import type { Result } from '../../../engine/items/itemState';
import { inspections } from '../../../nodes/AgencyInspections/inspections.area';
import { licenses } from '../../../nodes/AgencyLicenses/licenses.area';
import { shiftSchedules } from '../../../nodes/AgencyShiftSchedules/shiftSchedules.area';

const create = shiftSchedules.resources[0]!.operations[0]!;
const archive = inspections.resources[0]!.operations[0]!;
const patch = licenses.resources[0]!.operations[0]!;

type Results = Array<readonly Result[] | undefined>;
/** The items of a run that has started to send all of them. */
const itemsOf = (all: Results) => all.map((results) => ({ results, hasStarted: true }));
const reportOf = (operation: Operation, results: Results) =>
	reportOfItems(operation, itemsOf(results));

const refused = (path?: string) => new Failure('no', 'refused', { path });
const unknown = (path?: string) => new Failure('perhaps', 'inDoubt', { path });
const done = (path: string) => ({ path, status: 200 });

test('a partly processed item is reported and counted as such', () => {
	const results: Results = [
		[done('/a'), done('/b')],
		[done('/a'), refused('/9')],
		[done('/a'), unknown('/5'), refused('/9'), done('/b')],
		[unknown('/5'), unknown('/6')],
		[unknown('/5'), refused('/9')],
		[refused('/9'), refused('/8')],
		undefined,
	];
	expect(reportOf(patch, results)).toBe(
		'Already processed, do not resend: row 1 (item 0). ' +
			'Partly processed, look them up: rows 2–3, 5 (items 1–2, 4). ' +
			'May or may not have been processed, look them up first: row 4 (item 3). ' +
			'Not processed: rows 6–7 (items 5–6).',
	);
	const few: Results = [[done('/a'), refused('/9')], [done('/a')], [unknown('/5')]];
	expect(countsInWords(patch, itemsOf(few))).toBe(
		'1 sent, 2 failed: 1 partly processed [row 1 (item 0)], 1 in doubt [row 3 (item 2)]',
	);
});

test("n8n's log gets whole numbers of what the service sent, and no path", () => {
	const ids = [7, 8, 'secret', 9.5].map((shiftScheduleID) => [{ shiftScheduleID }]);
	expect(reportOfItems(create, itemsOf(ids), true)).toBe(
		'Already processed, do not resend: rows 1–4 (items 0–3; shiftScheduleID 7–8).',
	);
	expect(reportOfItems(patch, itemsOf([[done('/a'), refused('/9')]]), true)).toBe(
		'Partly processed, look them up: row 1 (item 0).',
	);
});

test('people see the first keys, and the log none', () => {
	const items = Array.from({ length: 5 }, (_, n) => ({
		key: n === 1 ? '' : `r-${n}`,
		results: [n === 4 ? unknown() : refused()],
		hasStarted: true,
	}));
	const keys = ['; keys "r-0", "r-2", …', '; key "r-4"'];
	const report = (ofRefused = '', ofUnknown = '') =>
		`May or may not have been processed, look them up first: row 5 (item 4${ofUnknown}). Not processed: rows 1–4 (items 0–3${ofRefused}).`;
	expect(reportOfItems(create, items)).toBe(report(...keys));
	expect(reportOfItems(create, items, true)).toBe(report());
	expect(countsInWords(create, items)).toBe(
		'5 failed: 1 in doubt [row 5 (item 4)], 4 refused [rows 1–4 (items 0–3)]',
	);
	expect(rowsHint(create, items)).toContain(
		`5 failed: 1 in doubt [row 5 (item 4${keys[1]})], 4 refused [rows 1–4 (items 0–3${keys[0]})].`,
	);
});

const runAgain = (rows: string) =>
	`Running this node again would resend every row: run it with only ${rows}. With 'Send Once'`;
const sent = [{}];
test.each<[Operation, Results, string]>([
	[create, [sent, [refused()]], runAgain('the failed rows')],
	[create, [sent, [unknown()]], runAgain('those that are not there')],
	[
		create,
		[sent, [unknown()], [refused()]],
		`1 record may be there already: look before you resend. ${runAgain('those that are not there')}`,
	],
	// A DELETE may be resent.
	[archive, [sent, [unknown()]], `. ${runAgain('the failed rows')}`],
])('the hint says which rows to run again: %#', (operation, results, expected) => {
	expect(rowsHint(operation, itemsOf(results))).toContain(expected);
});

test('nobody is told to look up a DELETE in doubt', () => {
	expect(reportOf(archive, [[unknown()]])).toBe(
		'May or may not have been processed, run them again: row 1 (item 0).',
	);
});

describe('creates', () => {
	test('without an ID are reported without one', () => {
		const results: Results = [[{ notModified: true }], [{ shiftScheduleID: 7 }]];
		expect(reportOf(create, results)).toBe(
			'Already processed, do not resend: rows 1–2 (items 0–1; shiftScheduleID 7).',
		);
	});

	test('with long IDs are listed in full, within a total limit', () => {
		const flood = 'x'.repeat(100_000);
		const ids = ['12345678901234567890', '12345678901234567891', flood];
		const ofIDs = reportOf(
			create,
			ids.map((shiftScheduleID) => [{ shiftScheduleID }]),
		);
		expect(ofIDs).toContain(`shiftScheduleID ${ids[0]}, ${ids[1]}, xxx`);
		expect(ofIDs.length).toBeLessThan(10_000);
	});

	test('with every outcome are all reported, however many there are', () => {
		const uuid = (n: number) => `6ba7b810-9dad-11d1-80b4-${String(n).padStart(12, '0')}`;
		const kinds = (n: number) => [[{ shiftScheduleID: uuid(n) }], [unknown()], [refused()]][n % 3]!;
		const report = reportOf(
			create,
			Array.from({ length: 9000 }, (_, n) => kinds(n)),
		);
		expect(report).toMatch(
			/^Already processed.*and \d+ more\)\. May or may not.*more\)\. Not proc/,
		);
		expect(report.length).toBeLessThan(30_000);
	});
});
