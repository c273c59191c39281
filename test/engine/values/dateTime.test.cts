// A month of shifts as an administrator has them in a sheet, with headings and dates of its own and some bad rows.
import type { IDataObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { continueOnFail, errorOf, type RunOptions } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();
useStoreOfKeys();

const sheet: IDataObject[] = Array.from({ length: 60 }, (_, n) => {
	const day = Math.floor(n / 3) + 1;
	return {
		'Station #': ['04', '07', '12'][n % 3],
		Start: `12/${day}/2026 7:00 AM`,
		End: `12/${day + 1}/2026 7:00 AM`,
		Shift: `${'ABC'[(day - 1) % 3]} shift`,
	};
});
sheet[6]!.End = 'tomorrow 7am';
sheet[33]!.Start = '13/12/2026 7:00 AM';
sheet[50]!['Station #'] = '';

/** The sheet, but that no order of month and day can read row 34. */
const withNoSuchDay = sheet.map((row, at) =>
	at === 33 ? { ...row, Start: '12/32/2026 7:00 AM' } : row,
);

const fields = {
	name: '={{ $json.Shift }}',
	fromDate: '={{ $json.Start }}',
	toDate: '={{ $json.End }}',
	stationNumber: '={{ $json["Station #"] }}',
};
const send = (options: IDataObject, more: Partial<RunOptions> = {}) =>
	sandbox.run({
		node: new AgencyShiftSchedules(),
		items: sheet,
		parameters: { fields, options } as RunOptions['parameters'],
		...more,
	});
const continuing = { nodeSettings: continueOnFail };
const sent = () => sandbox.requests('createShiftSchedule');

test('unreadable dates are grouped by the setting that reads them, the largest group first', async () => {
	const { error } = await send({});
	expect(error?.message).toBe(
		'Nothing was sent: 60 of 60 items have invalid values. ' +
			`'From Date' and 'To Date': values like "12/1/2026 7:00 AM" [rows 1–33, 35–36 (items 0–32, 34–35)]. Set 'Options › Dates in Rows' to 'Month First' (monthFirst) or 'Day First' (dayFirst). ` +
			`'To Date' and 'From Date': values like "12/13/2026 7:00 AM" [rows 34–60 (items 33–59)]. Set 'Options › Dates in Rows' to 'Month First' (monthFirst). ` +
			`'To Date' is "tomorrow 7am", but must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00 [row 7 (item 6)]. ` +
			'And other problems.',
	);
	const { json } = await send({}, continuing);
	const choices = (at: number) => {
		if (at === 33) return "'Day First' (dayFirst)";
		return at < 36
			? "'Month First' (monthFirst) or 'Day First' (dayFirst)"
			: "'Month First' (monthFirst)";
	};
	const correct = ' Correct the value, or the expression that gives it.';
	expect(json.map((item) => errorOf(item)?.advice)).toEqual(
		sheet.map(
			(_, at) => `Set 'Options › Dates in Rows' to ${choices(at)}.${at === 6 ? correct : ''}`,
		),
	);
	expect(sent()).toEqual([]);
});

test('if no setting reads all rows, each is named with its number of rows', async () => {
	const items = ['12/31/2026 7:00', '31/12/2026 7:00', '12/30/2026 7:00', '30/12/2026 7:00'];
	const { error } = await send(
		{},
		{ items: items.map((Start) => ({ ...sheet[0], Start, End: '2027-01-01T07:00' })) },
	);
	expect(error?.message).toBe(
		'Nothing was sent: 4 of 4 items have invalid values. ' +
			`'From Date': values like "12/31/2026 7:00" [rows 1, 3 (items 0, 2)]. Set 'Options › Dates in Rows' to 'Month First' (monthFirst). ` +
			`'From Date': values like "31/12/2026 7:00" [rows 2, 4 (items 1, 3)]. Set 'Options › Dates in Rows' to 'Day First' (dayFirst).`,
	);
});

test("a date that all rows share is read by each row's own 'Dates in Rows'", async () => {
	const { error } = await send(
		{},
		{
			items: [{ how: 'monthFirst' }, { how: 'dayFirst' }],
			parameters: {
				fields: { name: 'A', fromDate: '12/1/2026 7:00', toDate: '2026-12-02T07:00' },
				options: { datesInRows: '={{ $json.how }}' },
			},
		},
	);
	expect(error).toBeUndefined();
	expect(sent().map(({ body }) => (body as IDataObject).fromDate)).toEqual(
		expect.arrayContaining(['2026-12-01T07:00:00-05:00', '2026-01-12T07:00:00-05:00']),
	);
});

test('with the right setting, only bad rows are refused, by row and field', async () => {
	const items = withNoSuchDay;
	const { error } = await send({ datesInRows: 'monthFirst' }, { items });
	expect(error?.message).toBe(
		'Nothing was sent: 2 of 60 items have invalid values. ' +
			`'To Date' is "tomorrow 7am", but must be a date such as 12/1/2026 7:00 AM, since 'Dates in Rows' is 'Month First' [row 7 (item 6)]. ` +
			`'From Date' is "12/32/2026 7:00 AM", but must be a date and time that exists, since 'Dates in Rows' is 'Month First' [row 34 (item 33)].`,
	);
	const { json, hints } = await send({ datesInRows: 'monthFirst' }, { items, ...continuing });
	expect(json.flatMap((item) => errorOf(item) ?? [])).toMatchObject([
		{ row: 7, fields: ['To Date'] },
		{ row: 34, fields: ['From Date'] },
	]);
	expect(sent().map(({ body }) => body)).toContainEqual({
		name: 'A shift',
		fromDate: '2026-12-01T07:00:00-05:00',
		toDate: '2026-12-02T07:00:00-05:00',
		stationNumber: '04',
	});
	expect(hints).toEqual([
		"Sent without these fields, which are empty: 'Station Number' (row 51). Read as times in America/New_York, the workflow's time zone (00:00 for a date alone): 'From Date' (rows 1–6, 8–33, 35–60), 'To Date' (rows 1–6, 8–33, 35–60).",
		"Of 60 rows: 58 sent, 2 failed: not sent [rows 7, 34 (items 6, 33)]. Running this node again would resend every row: run it with only the failed rows. With 'Send Once' set before the first run, a second run sends only what is missing.",
	]);
	expect(sent()).toHaveLength(58);
});

test('runs with a key report how many rows were sent now, sent before, and failed', async () => {
	const options = {
		datesInRows: 'monthFirst',
		sendOnceKey: '={{ $json["Station #"] }} {{ $json.Start }}',
	};
	const more = { items: withNoSuchDay, ...continuing };
	const { hints } = await send(options, more);
	const runAgain =
		'To send the rows that were refused or not sent, correct what their messages name, then run the node again.';
	const keys = '"04 12/3/2026 7:00 AM", "04 12/32/2026 7:00 AM", " 12/17/2026 7:00 AM"';
	const failed = `3 failed: not sent [rows 7, 34, 51 (items 6, 33, 50; keys ${keys})]`;
	expect(hints).toContain(`Of 60 rows: 57 sent, ${failed}. ${runAgain}`);
	const again = await send(options, more);
	expect(again.hints).toContain(`Of 60 rows: 57 already sent, ${failed}. ${runAgain}`);
	// Two dates that do not exist, and a key that begins with a space, since its station is empty.
	expect(sent()).toHaveLength(57);
});

describe('a sheet in the other order of month and day', () => {
	/** Runs with dates of these days under 'Continue'. */
	const sendDays = (days: readonly string[], datesInRows: string, options: IDataObject = {}) => {
		const items = days.map((day, n) => ({
			'Station #': `0${n}`,
			Shift: 'A',
			Start: `${day}/2026 7:00`,
		}));
		const parameters = {
			fields: { ...fields, toDate: '2026-12-31T07:00' },
			options: { datesInRows, ...options },
		};
		return send({}, { items, parameters: parameters as RunOptions['parameters'], ...continuing });
	};
	const rowsSent = () =>
		sent()
			.map(({ body }) => (body as IDataObject).stationNumber)
			.sort();

	test.each([
		['monthFirst', ['5/6', '7/7', '13/6', '14/6', '8/6'], 'day first'],
		['dayFirst', ['5/6', '7/7', '6/13', '6/14', '6/8'], 'month first'],
	])('%s: its dates that both orders can read are refused', async (datesInRows, days, other) => {
		const { json } = await sendDays(days, datesInRows);
		const inDoubt = `'From Date' is in doubt, since rows 3–4 (items 2–3) can only be ${other}: correct 'Options › Dates in Rows', or the dates`;
		expect([json[0]!.message, json[4]!.message]).toEqual(
			[0, 4].map((item) => `${inDoubt} [row ${item + 1} (item ${item})]`),
		);
		expect(json[2]!.message).toMatch(/a date and time that exists, since 'Dates in Rows' is/);
		// July 7 is the same in both.
		expect(rowsSent()).toEqual(['01']);
	});

	test('rows that were sent with the same values count as sent', async () => {
		const key = { sendOnceKey: '={{ $json["Station #"] }}', sendOnceCompare: 'keysAndValues' };
		await sendDays(['5/6', '7/8'], 'monthFirst', key);
		const { json } = await sendDays(['5/6', '7/8', '13/6', '8/6'], 'monthFirst', key);
		expect(json.map((item) => item.alreadySent ?? errorOf(item)?.code)).toEqual([
			true,
			true,
			'invalidValues',
			'invalidValues',
		]);
		expect(rowsSent()).toEqual(['00', '01']);
	});
});

test('times in UTC and dates after 2100 get a hint', async () => {
	const starts = ['2026-12-01T07:00:00Z', 1_012_015, '2026-12-01T07:00:00-05:00', 46357];
	const items = starts.map((Start) => ({ ...sheet[0], Start, End: '9000-01-01' }) as IDataObject);
	const { hints } = await send({ datesInRows: 'excel' }, { items });
	const inUtc = 'Given in UTC (ending in Z), and so other clock times in America/New_York:';
	expect(hints.join()).toContain(`${inUtc} 'From Date' (row 1).`);
	const late =
		"Before 1970-01-02 or after 2100, as for a missing date or another number: 'To Date', 'From Date' (row 2).";
	expect(hints.join()).toContain(late);
	expect(sent()).toHaveLength(4);
});
