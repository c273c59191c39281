// The examples that need n8n's own nodes, on a running n8n server: their input, and the agency's records afterwards.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import type { INodeParameters } from 'n8n-workflow';

import {
	changeDataTableRow,
	createDataTable,
	dataTableRows,
	insertDataTableRow,
} from '../../n8n-full/dataTables.mts';
import {
	executionsOfWorkflow,
	hintsOfNode,
	outputsOfNode,
	requireEnd,
} from '../../n8n-full/executions.mts';
import { importWorkflow } from '../../n8n-full/workflows.mts';
import { startChatModel, type ChatModel } from '../../n8n-full/chatModel.mts';
import { openFormEnding, formFile, submitForm, type FormEnding } from '../../n8n-full/forms.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { readSpreadsheet, spreadsheetOf } from '../../n8n-full/spreadsheet.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	readExample,
	correctRowsOfTheNight,
	withNode,
	withRowsOfTheNight,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { clients, subscriptionKey, users } from '../../sandbox/accounts.mts';
import type { FaultRule } from '../../sandbox/faults.mts';

const vendors = readExample('nightly-vendor-changes');
const shifts = readExample('shift-schedules-from-a-csv');
const licenses = readExample('licenses-from-a-spreadsheet');
const photos = readExample('inspection-photos');
const fires = readExample('wildland-fire-report');
const captain = readExample('wildland-report-form');
const losap = readExample('losap-points-from-a-sheet');
const signIn = readExample('sign-in-sheet');
const agent = readExample('agent-at-the-station');
const library = readExample('library-from-a-sheet');
const failedRows = readExample('failed-rows-to-a-table');
const morning = readExample('morning-report');
const examples = [
	...[vendors, shifts, licenses, photos, fires, captain, losap, signIn],
	...[agent, failedRows, library, morning],
];

/** One that is sent, and one with an invalid date. */
const rowsOfLater = ['2026-04-02T07:00:00', 'soon'].map((fromDate, at) => ({
	...{
		rowID: `2026-20${at}`,
		name: 'G shift',
		fromDate,
		toDate: '2026-04-03T07:00:00',
		stationNumber: '04',
	},
}));
const later = { ...withRowsOfTheNight(failedRows, rowsOfLater), id: 'failedRowsLater1' };

const inDoubtExample = readExample('rows-in-doubt-settle-themselves');
const settlingNode = inDoubtExample.nodes.find(({ name }) => name === 'Create Shift Schedules')!;
/** Two identical rows and four others, sent one after another. */
const settling = withRowsOfTheNight(
	withNode(inDoubtExample, settlingNode.name, {
		parameters: {
			...settlingNode.parameters,
			options: { ...(settlingNode.parameters.options as object), parallelRequests: 1 },
		},
	}),
	['Twin', 'Twin', 'A', 'B', 'C', 'D'].map((name, row) => ({
		rowID: 300 + row,
		name,
		fromDate: '2026-05-02T07:00:00',
		toDate: '2026-05-03T07:00:00',
		stationNumber: '04',
	})),
);

let environment: N8nWithSandbox;
let model: ChatModel;
let session: N8nSession;

/** The same example with its own sheet, at the path that a person enters. */
const licensesInFolder = (path: string) => ({
	...withNode(licenses, 'Sheet in a Folder', { parameters: { fileSelector: path } }),
	id: 'licensesInFolder',
	pinData: {},
});

/** The settings in the node that people are meant to change. */
const { assignments } = shifts.nodes.find(({ name }) => name === 'Your Columns')!.parameters
	.assignments as { assignments: INodeParameters[] };
assignments.find(({ name }) => name === 'Station Digits')!.value = 2;

/** The same form for a sheet with a separate date column, day first. */
const ofDays = structuredClone({ ...shifts, id: 'shiftsOfDays0001', pinData: {} });
const nodeOfDays = (name: string) => ofDays.nodes.find((node) => node.name === name)!;
Object.assign(nodeOfDays('Upload Form'), { webhookId: 'b9b1c2c4-5c0a-4c52-9d0e-4f0f6f1f7a11' });
Object.assign(nodeOfDays('Upload Form').parameters.options!, { path: 'shifts-of-days' });
for (const assignment of (
	nodeOfDays('Your Columns').parameters.assignments as { assignments: INodeParameters[] }
).assignments) {
	if (assignment.name === 'Date') assignment.value = 'Date';
	if (assignment.name === 'Dates in Rows') assignment.value = 'Day First';
}

before(
	async () => {
		environment = await openN8nWithSandbox(15_690);
		model = await startChatModel();
		const { n8n, credential, folder } = environment;
		await n8n.import('credentials', [
			credential(exampleCredentialId, 'password'),
			{
				id: 'chatModel',
				name: 'OpenAI',
				type: 'openAiApi',
				data: { apiKey: 'none', url: model.url },
			},
		]);
		const copy = licensesInFolder(join(folder, 'renewals.xlsx'));
		await n8n.import('workflow', [...examples, ofDays, copy, later, settling]);
		session = await environment.start();
		for (const { id } of [shifts, ofDays, photos, fires, captain, losap, signIn])
			await session.publish(id);
	},
	{ timeout: 20 * 60_000 },
);
beforeEach(() => environment.sandbox.faults.set([]));
after(async () => {
	await model?.close();
	await environment?.close();
});

const rowsOf = (kind: string) =>
	environment.sandbox.records.list(kind, { showArchived: true }).rows;
const made = (kind: string) => rowsOf(kind).map(({ data }) => data);

/** The records of a kind that a part of a test adds to the agency's. */
async function added(kind: string, work: () => Promise<unknown>) {
	const count = rowsOf(kind).length;
	await work();
	return made(kind).slice(count);
}

/** Path of an uploaded file in the sandbox. */
const pathOf = ({ fileGUID }: Record<string, unknown>): string =>
	join(environment.sandbox.filesFolder, fileGUID as string);

async function runs(file: { id: string }, trigger: string, status = 'success'): Promise<void> {
	await requireEnd(session, await session.start(file.id, trigger), status);
}

/** ID of a workflow's latest execution, once it has ended. */
async function latest({ id }: { id: string }, status: string): Promise<string> {
	const [execution] = await executionsOfWorkflow(session, id);
	return await requireEnd(session, execution!.id, status);
}

void test('vendors: first all, then only changes, even after a failed night', async () => {
	const vendorIDs = async (file: Record<string, unknown>) =>
		(await readSpreadsheet(readFileSync(pathOf(file)))).map((row) => row.departmentBusinessID);
	const [all, ...others] = await added('file', () => runs(vendors, 'Every Night'));
	assert.deepEqual(
		await vendorIDs(all!),
		rowsOf('vendor').map(({ id }) => id),
	);
	assert.deepEqual(others, []);
	assert.deepEqual(await added('file', () => runs(vendors, 'Every Night')), []);

	const { records: store, faults } = environment.sandbox;
	store.update('vendor', 110, { ...store.get('vendor', 110)!.data, phone: '555-0199' });
	store.archive('vendor', 120);
	faults.set([{ fault: 'refuse', operation: 'uploadFile', status: 400, times: 1 }]);
	assert.deepEqual(await added('file', () => runs(vendors, 'Every Night', 'error')), []);

	const id = await latest(vendors, 'error');
	const [changes] = await added('file', () => session.retry(id));
	assert.match(changes!.fileName as string, /^vendor-changes-\d{4}-\d{2}-\d{2}\.xlsx$/);
	const rows = await readSpreadsheet(readFileSync(pathOf(changes!)));
	assert.deepEqual(
		rows.map(({ departmentBusinessID, phone, archive }) => [departmentBusinessID, phone, archive]),
		[
			[110, '555-0199', '0'],
			[120, store.get('vendor', 120)!.data.phone, '1'],
		],
	);
});

const shiftNames = (records: Array<Record<string, unknown>>) => records.map(({ name }) => name);

void test('shifts: one click plans the sample, and the next plans nothing twice', async () => {
	const run = () => runs(shifts, 'Upload Form', 'waiting');
	assert.deepEqual(shiftNames(await added('shiftSchedule', run)).sort(), [
		'A shift, April 1',
		'B shift, April 2',
		'B shift, April 5',
	]);
	assert.deepEqual(await added('shiftSchedule', run), []);

	const path = `/workflows/${shifts.id}`;
	const { settings } = (await session.get(path)) as { settings: object };
	await session.send('PATCH', path, { settings: { ...settings, timezone: 'America/Denver' } });
	assert.deepEqual(await added('shiftSchedule', run), [], 'a corrected time zone');
	await session.send('PATCH', path, { settings });
});

/** Submits the form with a sheet, and opens the page that follows. */
const upload = async (path: string, name: string, sheet: string | Uint8Array<ArrayBuffer>) =>
	await openFormEnding(
		await submitForm(environment.n8n, path, [formFile(name, 'application/vnd.ms-excel', sheet)]),
	);
/** The rows of the returned file, without the service's messages. */
const rowsToCorrect = async (
	files: Record<string, Buffer>,
): Promise<Array<Record<string, unknown>>> =>
	(await readSpreadsheet(files['rows-to-correct.xlsx']!)).map((row) => ({
		...row,
		Reason: (row.Reason as string).replace(/(set to) .*/, '$1 …'),
	}));
const plans = (records: Array<Record<string, unknown>>) =>
	records
		.map(({ name, fromDate, stationNumber }) => [name, fromDate, stationNumber].join(' '))
		.sort();

void test('shifts: failed rows come back with reasons, and can be uploaded once corrected', async () => {
	const send = (file: string | Uint8Array<ArrayBuffer>) =>
		upload('next-months-shifts', 'May.xls', file);
	environment.sandbox.faults.set([
		{ fault: 'refuse', operation: 'createShiftSchedule', status: 400, times: 1 },
	]);
	const columns = 'Shift,Begins,Ends,Station,Crew';
	let left: Array<Record<string, unknown>> = [];
	const none = await added('shiftSchedule', async () => {
		const { title, message, files } = await send(
			`\uFEFF${columns}\nA,5/1/2026 7:00 AM,5/2/2026 7:00 AM,04,8\nB,2/30/2026,5/3/2026 7:00 AM,04,\nC,5/3/2026 7:00 AM,5/4/2026 7:00 AM,,9\nD,5/4/2026 7:00 AM,5/4/2026 7:00 AM,04,9\n,,,,\n`,
		);
		assert.equal(title, 'Some rows are left over');
		assert.match(message, /^Left over: all 4 rows of your file\. /);
		left = await rowsToCorrect(files);
	});
	assert.deepEqual(none, []);
	assert.deepEqual(
		left.map((row) => Object.values(row).join('|')),
		[
			'A|5/1/2026 7:00 AM|5/2/2026 7:00 AM|04|8|The service returned status 400: The sandbox was set to …',
			`B|2/30/2026|5/3/2026 7:00 AM|04||'Begins' is "2/30/2026", but must be a date and time that exists, since 'Dates in Rows' is 'Month First'`,
			'C|5/3/2026 7:00 AM|5/4/2026 7:00 AM||9|Empty: Station',
			'D|5/4/2026 7:00 AM|5/4/2026 7:00 AM|04|9|Begins and Ends are the same',
		],
	);
	const { files } = await send(
		`${columns}\nA,5/1/2026 7:00 AM,5/2/2026 7:00 AM,04,\nB,13/5/2026 7:00 AM,5/14/2026 7:00 AM,04,\n`,
	);
	assert.equal(
		(await rowsToCorrect(files))[0]!.Reason,
		"'Begins' could be read in two ways, since another row can only be day first: correct that row",
	);
	const corrections = [{}, { Begins: '5/2/2026 7:00 AM' }, { Station: 4 }, { Ends: 46_147.29167 }];
	const corrected = await spreadsheetOf(left.map((row, at) => ({ ...row, ...corrections[at] })));
	const planned = await added('shiftSchedule', async () =>
		assert.deepEqual(await send(corrected), {
			title: 'All shifts are planned',
			message: 'All 4 rows of your file are on the schedule.',
			files: {},
		}),
	);
	assert.deepEqual(
		plans(planned),
		['A', 'B', 'C', 'D'].map((name, day) => `${name} 2026-05-0${day + 1}T07:00:00-05:00 04`),
	);
});

/** Cells of other columns as Excel keeps them: a date, a time, both, and numbers. */
const otherCells = { 'Date Checked': 46_083, 'Call Time': 0.291_666_7, Hours: 0.5, Miles: 46_083 };
const otherCellsShown = { ...otherCells, 'Date Checked': '3/2/2026', 'Call Time': '7:00 AM' };

void test('shifts: a file with one row is reported in the singular, and other dates come back as dates', async () => {
	const row = { Shift: 'Z', Begins: 46_162.291_67, Ends: 'soon', Station: 4, ...otherCells };
	const send = async (Ends: unknown) =>
		await upload('next-months-shifts', 'One.xlsx', await spreadsheetOf([{ ...row, Ends }]));
	const { message, files } = await send('soon');
	assert.match(message, /^Left over: the one row of your file\. Your browser downloads it as /);
	const [{ Reason: _, ...cells }] = (await rowsToCorrect(files)) as [Record<string, unknown>];
	assert.deepEqual(cells, {
		...{ Shift: 'Z', Begins: '5/20/2026 7:00 AM', Ends: 'soon', Station: 4 },
		...otherCellsShown,
	});
	// Two blanks and a line break (Alt+Enter).
	row.Shift = 'Z  shift\nnorth';
	const { message: planned } = await send(46_163.291_67);
	assert.equal(planned, 'The one row of your file is on the schedule.');
	const { message: again } = await send(46_163.291_67);
	assert.match(again, /^Nothing is new: the one row of your file is on the schedule since /);
	const { files: changed } = await send(46_163.791_67);
	const [{ Reason }] = (await rowsToCorrect(changed)) as [Record<string, unknown>];
	assert.match(Reason as string, /^Is on the schedule since .* with other values: change it in /);
});

void test('shifts: a date column, days first, night shifts, and a CSV that is not in UTF-8', async () => {
	const sheet = [
		'Shift,Date,Begins,Ends,Station',
		'St. Mary\x92s,1.12.2026,07:00,07:00,4',
		'St. Mary\x92s,2026-01-12,07:00,19:00,4',
		'Night,1.12.2026,19:00,7:00,4',
	].join('\n');
	const send = () => upload('shifts-of-days', 'Days.csv', Buffer.from(sheet, 'latin1'));
	const planned = await added('shiftSchedule', send);
	assert.deepEqual(plans(planned), [
		'Night 2026-12-01T19:00:00-06:00 04',
		'St. Mary’s 2026-01-12T07:00:00-06:00 04',
		'St. Mary’s 2026-12-01T07:00:00-06:00 04',
	]);
	assert.deepEqual(planned.map(({ toDate }) => toDate).sort(), [
		'2026-01-12T19:00:00-06:00',
		'2026-12-02T07:00:00-06:00',
		'2026-12-02T07:00:00-06:00',
	]);
	assert.deepEqual(await added('shiftSchedule', send), []);
});

void test("forms: plain CSV of Excel for Mac is given back, since its letters can't be told", async () => {
	// é in MacRoman: Ž in Windows-1252, with CR line ends; and è, which Windows-1252 lacks.
	for (const sheet of ['A,B\rJos\x8e,4\r', 'A,B\r\nHel\x8fne,4\r\n'])
		for (const path of ['next-months-shifts', 'losap-points']) {
			const { title, message } = await upload(path, 'Mac.csv', Buffer.from(sheet, 'latin1'));
			assert.match(title, /^Nothing was/);
			assert.match(message, /On a Mac, save it as .*CSV UTF-8.* or as \.xlsx\.$/);
		}
	const { message } = await upload('next-months-shifts', 'Plain.csv', 'A,B\r1,2\r');
	assert.match(message, /^The file has no column Shift, /);
});

/** The officers who hold each license in the service, by its ID. */
const officers = () => new Map(rowsOf('license').map(({ id, data }) => [id, data.userIDs]));

void test('licenses: a sheet is patched, and refused rows come back as a sheet', async () => {
	const { folder } = environment;
	const [sample] = licenses.pinData!['Sheet in a Folder']!;
	const sheet = join(folder, 'renewals.xlsx');
	writeFileSync(sheet, Buffer.from(sample!.binary!.data!.data, 'base64'));
	const rows = await readSpreadsheet(readFileSync(sheet));
	const known = rows.filter(({ License }) => (License as number) < 9000);
	for (const file of [licenses, licenses, licensesInFolder(sheet)]) {
		for (const { License } of known)
			environment.sandbox.records.update('license', License as number, { userIDs: [] });
		const [refused] = await added('file', () => runs(file, 'Every Monday'));
		for (const { License, Officer } of known)
			assert.deepEqual(officers().get(License as number), [Officer]);
		const left = await readSpreadsheet(readFileSync(pathOf(refused!)));
		assert.deepEqual(
			left.map(({ License, Officer, Outcome }) => [License, Officer, Outcome]),
			[
				['9001', '901', 'refused'],
				['9002', '901', 'refused'],
			],
		);
		assert.match(left[0]!.Reason as string, /\/9001.*404/);
	}
});

const pictures = ['bed.jpg', 'seam.jpg'];
const told = (notifications: Array<Record<string, unknown>>) =>
	notifications.map(({ notificationModel }) => notificationModel as Record<string, unknown>);

/** Submits the form with two photos. @returns the files, the notifications and the last page */
async function sendPhotos() {
	let files: Array<Record<string, unknown>> = [];
	let ending: FormEnding | undefined;
	const notifications = await added('notification', async () => {
		files = await added('file', async () => {
			const files = pictures.map((name) => formFile(name, 'image/jpeg', `Photo ${name}`));
			const values = ['2007', 'Hose bed is torn', files];
			ending = await openFormEnding(await submitForm(environment.n8n, 'inspection-photos', values));
		});
	});
	for (const file of files)
		assert.equal(readFileSync(pathOf(file), 'utf8'), `Photo ${String(file.fileName)}`);
	const named = files.map(({ fileName, fileGUID }) => `${String(fileName)} (${String(fileGUID)})`);
	const fileNames = files.map(({ fileName }) => String(fileName));
	return { fileNames, photos: named, notifications: told(notifications), ...ending! };
}

void test('photos: the form uploads them, and a notification names them', async () => {
	const { fileNames, photos: named, notifications, title, message } = await sendPhotos();
	assert.deepEqual(fileNames.toSorted(), pictures);
	// n8n passes on a form's files in the order in which it wrote them to disk.
	const inEitherOrder = (list: string[]) => [list, list.toReversed()].map((all) => all.join(', '));
	const texts = inEitherOrder(named).map((all) => `Hose bed is torn. Photos: ${all}`);
	const [{ description, ...notification }, ...others] = notifications as [Record<string, string>];
	assert.deepEqual([notification, others], [{ equipmentID: 2007, status: 'Needs repair' }, []]);
	assert.ok(texts.includes(description!), description);
	assert.equal(title, 'The photos were uploaded');
	const messages = inEitherOrder(fileNames).map(
		(all) => `Uploaded: ${all}. The agency was notified.`,
	);
	assert.ok(messages.includes(message), message);
	for (let run = 0; run < 2; run++) {
		const inEditor = await added('file', () => runs(photos, 'Inspection Form', 'waiting'));
		assert.equal(inEditor.length, 2);
	}
});

void test('photos: the last page names the refused ones', async () => {
	const uploaded = String.raw`Uploaded: \w+\.jpg\. The agency was notified\. *$`;
	const isRefused = String.raw`^\w+\.jpg: The service returned status 413.* It is not in the files\. `;
	const mayBeThere = String.raw` Ask the office before you upload it again\. `;
	const noneIsThere = String.raw` It is not in the files\. No photo was uploaded\. *$`;
	for (const [fault, count, message] of [
		[{ fault: 'refuse', status: 413, times: 1 }, 1, isRefused + uploaded],
		[{ fault: 'resetAfter', times: 1 }, 2, mayBeThere + uploaded],
		[{ fault: 'refuse', status: 413 }, 0, noneIsThere],
	] as Array<[FaultRule, number, string]>) {
		environment.sandbox.faults.set([{ ...fault, operation: 'uploadFile' }]);
		const { fileNames, notifications, title, message: said } = await sendPhotos();
		assert.match(said, new RegExp(message));
		assert.match(title, /^Failed: \w+\.jpg(, \w+\.jpg)?$/);
		assert.deepEqual([fileNames.length, notifications.length], [count, Math.min(count, 1)]);
		const wrong = pictures.filter((name) => title.includes(name) === fileNames.includes(name));
		assert.equal(wrong.length, fault.fault === 'refuse' ? 0 : 1, title);
	}
});

const fire = { IncidentName: 'Ridge Road Fire', District: 'North', FinalFireAcreage: 12 };

/** Sends a report. @returns the response's status and text */
async function report(body: object): Promise<[number, Record<string, unknown>]> {
	const response = await fetch(`${environment.n8n.url}/webhook/wildland-fire-report`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return [response.status, (await response.json()) as Record<string, unknown>];
}

void test('fires: a report is recorded, and its sender gets the ID', async () => {
	const entered = await added('wildlandFire', async () => {
		const [status, { NASFWildlandFireID }] = await report({ exposureID: 104, fire });
		assert.deepEqual([status, NASFWildlandFireID], [201, rowsOf('wildlandFire').at(-1)!.id]);
	});
	assert.deepEqual(entered, [{ exposureID: 104, ...fire }]);
	for (let run = 0; run < 2; run++)
		assert.equal((await added('wildlandFire', () => runs(fires, 'Report'))).length, 1);
});

void test('fires: a failed report is answered with the reasons, or with whether to resend it', async () => {
	const operation = 'createWildlandFire';
	const good = { exposureID: 104, fire };
	const isBusy: FaultRule = { fault: 'refuse', operation, status: 429, retryAfter: 1 };
	const breaksOff: FaultRule = { fault: 'resetAfter', operation, times: 1 };
	for (const [body, status, said, fault] of [
		[{}, 400, /^Missing: exposureID, fire.IncidentName, fire.District$/],
		[{ ...good, fire: { ...fire, District: '' } }, 400, /^Missing: fire.District$/],
		[{ ...good, exposureID: 'x' }, 400, /^'Exposure ID' is "x", but must be a whole number/],
		[{ ...good, fire: { ...fire, Acres: 3 } }, 400, /^'Acres' is not a field/],
		[{ ...good, exposureID: 9999 }, 400, /no exposure has this ID/],
		[good, 503, /^outcome refused, sendAgain true$/, isBusy],
		[good, 502, /^outcome inDoubt, sendAgain false$/, breaksOff],
	] as Array<[object, number, RegExp, FaultRule?]>) {
		environment.sandbox.faults.set(fault ? [fault] : []);
		const entered = await added('wildlandFire', async () => {
			const [actual, { reasons, ...others }] = await report(body);
			assert.equal(actual, status, JSON.stringify(body));
			const words = Object.entries(others).map((pair) => pair.join(' '));
			assert.match(((reasons as string[] | undefined) ?? words.sort()).join(', '), said);
		});
		assert.equal(entered.length, fault === breaksOff ? 1 : 0);
		await latest(fires, fault ? 'error' : 'success');
	}
});

/** Submits the captain's form. @returns the last page, as one text */
async function reportByForm(...values: string[]): Promise<string> {
	const { title, message } = await openFormEnding(
		await submitForm(environment.n8n, 'captains-wildland-report', values),
	);
	return `${title} | ${message}`;
}

void test("fires: the captain's form says what was recorded, what to correct, and when to ask", async () => {
	const operation = 'createWildlandFire';
	const refuses: FaultRule = { fault: 'refuse', operation, status: 400, times: 1 };
	const isBusy: FaultRule = { fault: 'refuse', operation, status: 429, retryAfter: 1 };
	const breaksOff: FaultRule = { fault: 'resetAfter', operation, times: 1 };
	const good = ['104', 'Mill Creek', 'North', '12', '', '0', ''];
	const inDoubt = ['104', 'Dry Gulch', 'North', '', '', '', ''];
	const record = { exposureID: 104, IncidentName: 'Mill Creek', District: 'North' };
	const entry = { ...record, FinalFireAcreage: 12, ResidencesDestroyed: 0 };
	for (const [values, said, entered, status, fault] of [
		[
			good.with(3, '12.5').with(6, 'none'),
			/^Correct this: Final Fire Acreage, IRWIN ID \| .*'Final Fire Acreage' is "12\.5", but .*\. 'IRWIN ID' is "none", but /,
			[],
			'success',
		],
		[good, /^Correct this: see below \| /, [], 'success', refuses],
		[good, /^Not entered: send it again later \| /, [], 'error', isBusy],
		[good, /^Entered as (\d+) \| Mill Creek is in the records\.$/, [entry], 'success'],
		[good, /^Entered earlier \| Mill Creek is .* not entered again\.$/, [], 'success'],
		[
			good.with(3, '13'),
			/^Entered earlier, with other values \| Nothing was changed\. Tell the office what to change\.$/,
			[],
			'error',
		],
		[
			inDoubt,
			/^May be entered: ask the office \| .* May already have been processed/,
			[{ ...record, IncidentName: 'Dry Gulch' }],
			'error',
			breaksOff,
		],
		[
			inDoubt,
			/^May be entered: ask the office \| .* Another run began to send this row, and its outcome is unknown/,
			[],
			'error',
		],
	] as Array<[string[], RegExp, object[], string, FaultRule?]>) {
		environment.sandbox.faults.set(fault ? [fault] : []);
		let page = '';
		const records = await added('wildlandFire', async () => {
			page = await reportByForm(...values);
		});
		assert.match(page, said);
		assert.deepEqual(records, entered);
		const [, id] = said.exec(page)!;
		if (id) assert.equal(Number(id), rowsOf('wildlandFire').at(-1)!.id);
		await latest(captain, status);
	}
	environment.sandbox.faults.set([]);
	const atOneClick = () => runs(captain, 'Report Form', 'waiting');
	assert.equal((await added('wildlandFire', atOneClick)).length, 1);
	assert.equal((await added('wildlandFire', atOneClick)).length, 0);
});

/** The credited points: member, category, points and day. */
const credits = (records: Array<Record<string, unknown>>) =>
	records
		.map(({ userID, categoryID, actualPoints, startDate, endDate }) => {
			assert.equal(startDate, endDate);
			return [userID, categoryID, actualPoints, startDate].join(' ');
		})
		.sort();

void test('LOSAP: one click credits three rows of the sample, and the next none', async () => {
	const run = () => runs(losap, 'Upload Form', 'waiting');
	assert.deepEqual(credits(await added('losapPoint', run)), [
		'101 3 1 2026-03-03T00:00:00-06:00',
		'101 4 2 2026-03-14T00:00:00-05:00',
		'102 3 1 2026-03-03T00:00:00-06:00',
	]);
	assert.deepEqual(await added('losapPoint', run), []);
});

void test('LOSAP: failed rows come back with reasons, and nobody is credited twice', async () => {
	const send = (file: string | Uint8Array<ArrayBuffer>) => upload('losap-points', 'May.xls', file);
	const row = (member: unknown, Date: unknown, Pts: unknown, Why: string) => ({
		...{ 'Member #': member, Name: `Member ${String(member)}`, Date, Pts, Why },
	});
	// May 5, 2026 as Excel counts, and as text.
	const sheet = [
		row(101, 46_147, 1, 'Drill'),
		row('0102', '05/05/26', '1', 'Drill'),
		row(103, '13/5/2026', 1, 'Drill'),
		row(9105, 46_147, 1, 'Drill'),
		row(107, 46_147, 2, 'Call'),
		row(107, 46_147, 2, 'Call'),
	];
	let left: Array<Record<string, unknown>> = [];
	const first = await added('losapPoint', async () => {
		const { title, message, files } = await send(await spreadsheetOf(sheet));
		assert.equal(title, 'Some rows need correction');
		assert.match(message, /^Credited now: 2\. Credited earlier: 0\. Failed: 4\. /);
		left = await rowsToCorrect(files);
	});
	const day = '2026-05-05T00:00:00-05:00';
	assert.deepEqual(credits(first), [`101 3 1 ${day}`, `102 3 1 ${day}`]);
	assert.deepEqual(
		left.map(({ Reason: _, ...others }) => Object.values(others).join('|')),
		[
			'103|Member 103|13/5/2026|1|Drill',
			'9105|Member 9105|5/5/2026|1|Drill',
			'107|Member 107|5/5/2026|2|Call',
			'107|Member 107|5/5/2026|2|Call',
		],
	);
	const reasons = [
		/^'Date' is "13\/5\/2026", but must be a date and time that exists, since 'Dates in Rows' is 'Month First'$/,
		/^The service refused the values: userID \('Member #'\): no user has this ID$/,
		...[/^'Send Once' /, /^'Send Once' /],
	];
	for (const [at, { Reason }] of left.entries()) assert.match(Reason as string, reasons[at]!);

	const corrections: object[] = [
		{ Date: 46_147 },
		{ 'Member #': 108 },
		{ Why: 'Call 201' },
		{ Why: 'Call 202' },
	];
	const corrected = left.map((one, at) => ({ ...one, ...corrections[at] }));
	const second = await added('losapPoint', async () =>
		assert.deepEqual(await send(await spreadsheetOf(corrected)), {
			title: 'All rows are credited',
			message: 'Credited now: 4. Credited earlier: 0. Failed: 0.',
			files: {},
		}),
	);
	assert.deepEqual(credits(second), [
		...[`103 3 1 ${day}`, `107 4 2 ${day}`, `107 4 2 ${day}`, `108 3 1 ${day}`],
	]);
	// The whole sheet once more, now as CSV, with other points in its first row.
	const all = [...sheet.slice(0, 2), ...corrected].map((one, at) =>
		[one['Member #'], 'Jonas Sørensen', '5/5/2026', at === 0 ? 3 : one.Pts, one.Why].join(','),
	);
	const csv = `\uFEFFMember #,Name,Date,Pts,Why\n${all.join('\n')}\n,,,,\n`;
	const third = await added('losapPoint', async () => {
		const { title, message } = await send(csv);
		assert.equal(title, 'All rows are credited');
		assert.equal(
			message,
			'Credited now: 0. Credited earlier: 6. Credited earlier with other points or another category, ' +
				"change them in the agency's records: 101 2026-05-05T00:00 Drill. Failed: 0.",
		);
	});
	assert.deepEqual(third, []);
});

void test('LOSAP: dates and times in other columns come back as dates and times', async () => {
	const row = { 'Member #': 101, Date: 'soon', Pts: 1, Why: 'Drill', ...otherCells };
	const { files } = await upload('losap-points', 'One.xlsx', await spreadsheetOf([row]));
	const [left] = await rowsToCorrect(files);
	assert.deepEqual({ ...left, ...otherCellsShown }, left);
});

void test('LOSAP: a sheet with a wrong heading is reported', async () => {
	const none = await added('losapPoint', async () => {
		const { title, message } = await upload('losap-points', 'May.csv', 'Member,Date,Pts\n1,,2\n');
		assert.equal(title, 'Nothing was credited');
		assert.match(message, /^The file has no column Member #, Why; it has: Member, Date, Pts\./);
	});
	assert.deepEqual(none, []);
});

/** Submits the form with the sample's sheet, with one ID changed, and waits for the end. */
async function submitSheet(wrong: string, right: string): Promise<void> {
	const { data } = signIn.pinData!['Sign-In Form']![0]!.binary!.Sign_In_Sheet!;
	const sheet = Buffer.from(data, 'base64').toString().replace(wrong, right);
	const file = formFile('Sheet.csv', 'text/csv', sheet);
	const submitted = await submitForm(environment.n8n, 'after-an-event', ['101', '4', '2', file]);
	assert.ok(submitted.ok);
	await latest(signIn, 'success');
}

void test('sign-in sheet: the event gets its visitors, and each member gets points once', async () => {
	const points = (userID: number, from: string, to: string) => ({
		userID,
		categoryID: 3,
		actualPoints: 2,
		startDate: `2026-10-10T${from}:00-05:00`,
		endDate: `2026-10-10T${to}:00-05:00`,
	});
	for (const [work, expected] of [
		[
			() => runs(signIn, 'Sign-In Form'),
			[points(101, '09:30', '14:15'), points(102, '09:45', '14:00')],
		],
		[() => runs(signIn, 'Sign-In Form'), []],
		[() => submitSheet('9102', '103'), [points(103, '10:00', '14:00')]],
	] as const) {
		let credited: Array<Record<string, unknown>> = [];
		const attendance = await added('eventPeople', async () => {
			credited = await added('losapPoint', work);
		});
		assert.deepEqual(
			credited.sort((a, b) => Number(a.userID) - Number(b.userID)),
			expected,
		);
		assert.deepEqual(attendance, [
			{
				eventID: 101,
				hours: 4,
				numberOfAdultAttendees: 1,
				numberOfChildrenAttendees: 2,
				numberOfSeniorAttendees: 1,
			},
		]);
	}
});

const plan = (fromDate: string) => ({
	tool: 'Plan_a_Shift',
	values: { name: 'A shift', fromDate, toDate: '2026-03-03T07:00:00', stationNumber: '04' },
});

/** The tools' answers in the latest run. */
const toolAnswers = () =>
	model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.map(({ content }) => JSON.parse(content as string) as Array<Record<string, unknown>>);

void test('agent: it reads, learns what is invalid, corrects itself and plans', async () => {
	model.turns.push(
		{ tool: 'Look_Up_Vendors', values: { category: 'Turnout Gear' } },
		{ tool: 'Read_a_Shift', values: { shiftID: 101 } },
		plan('tomorrow'),
		plan('2026-03-02T07:00:00'),
		'It is planned.',
	);
	const planned = await added('shiftSchedule', () => runs(agent, 'Sample Question'));
	assert.deepEqual(planned, [
		{
			name: 'A shift',
			fromDate: '2026-03-02T07:00:00-06:00',
			toDate: '2026-03-03T07:00:00-06:00',
			stationNumber: '04',
		},
	]);
	const [vendorsFound, shift, refused, created] = toolAnswers();
	const gear = made('vendor').filter(({ category }) => category === 'Turnout Gear');
	const known = new Set(gear.map(({ name }) => name));
	assert.equal(vendorsFound!.length, 20);
	assert.ok(vendorsFound!.every(({ name }) => known.has(name)));
	assert.equal((shift![0]!.shift as { color: string }).color, made('shift')[0]!.color);
	assert.match(JSON.stringify(refused), /'From Date' is .*tomorrow.*notSent/);
	const { id: shiftScheduleID } = rowsOf('shiftSchedule').at(-1)!;
	assert.deepEqual(created, [{ shiftScheduleID, ...planned[0] }]);
});

void test('agent: a shift that it plans again, in this chat or another, exists once', async () => {
	const twice = [plan('2026-03-02T19:00:00'), plan('2026-03-02T19:00')];
	const planned = await added('shiftSchedule', async () => {
		model.turns.push(...twice, 'It is planned.');
		await runs(agent, 'Sample Question');
		assert.deepEqual(toolAnswers()[1], [{ alreadySent: true, key: '04 2026-03-02T19:00 a shift' }]);
		model.turns.push(...twice, 'It was planned before.');
		await runs(agent, 'Sample Question');
	});
	assert.equal(planned.length, 1);
});

void test('library: each category is below its parent, even if two shelves have binders with the same name', async () => {
	const created = await added('libraryCategory', () => runs(library, 'Sheet'));
	const byID = new Map(rowsOf('libraryCategory').map(({ id, data }) => [id, data]));
	/** The titles from the shelf down. */
	const place = ({ categoryTitle, parentID }: Record<string, unknown>): string => {
		const parent = byID.get(parentID as number);
		return parent ? `${place(parent)} / ${String(categoryTitle)}` : String(categoryTitle);
	};
	const places = new Set<string>();
	for (const { json } of library.pinData!.Sheet!) {
		const { Shelf, Binder, Section } = json as Record<string, string>;
		const titles = [Shelf, Binder, Section].filter((title) => title !== '');
		titles.forEach((_, level) => places.add(titles.slice(0, level + 1).join(' / ')));
	}
	assert.deepEqual(created.map(place).sort(), [...places].sort());
});

/** Whether the latest night reported that it remembers none of the node's keys. */
async function saysItIsNew(file: { id: string }): Promise<boolean> {
	const hints = await hintsOfNode(session, await latest(file, 'error'), 'Create Shift Schedules');
	return hints.some((hint) => hint.startsWith("'Send Once' is new in this node"));
}

const tableName = 'Failed Shift Schedules';
const failed = () => dataTableRows(session, tableName);
const operation = 'createShiftSchedule';

void test('failed rows: each is in the service once, or in the table with what happened to it', async () => {
	const { faults } = environment.sandbox;
	const before = made('shiftSchedule').length;
	const schedulesInService = () => shiftNames(made('shiftSchedule').slice(before)).sort();
	const outcomes = async () => (await failed()).map(({ outcome }) => outcome!).sort();
	const doubtful = async () => (await failed()).filter(({ outcome }) => outcome === 'inDoubt');
	faults.set([
		{ fault: 'resetAfter', operation, times: 1 },
		{ fault: 'refuse', operation, status: 409, times: 1 },
		{ fault: 'refuse', operation, status: 429 },
	]);
	await runs(failedRows, 'Every Night', 'error');
	faults.set([]);
	assert.ok(await saysItIsNew(failedRows));
	const ofFirstNight = await outcomes();
	assert.equal(ofFirstNight.length, 6);
	assert.ok(ofFirstNight.includes('inDoubt') && ofFirstNight.includes('refused'));
	assert.equal(schedulesInService().length, 1, 'the one in doubt');
	const [first] = await doubtful();

	// The F shift's date is wrong every night.
	const names = ['A', 'B', 'C', 'D', 'E'].map((letter) => `${letter} shift`);
	for (let night = 2; night <= 3; night++) {
		await runs(failedRows, 'Every Night', 'error');
		assert.ok(!(await saysItIsNew(failedRows)));
		assert.deepEqual(schedulesInService(), names);
		assert.deepEqual(await outcomes(), ['inDoubt', 'notSent']);
		const [{ error, advice }] = (await doubtful()) as [Record<string, string>];
		assert.equal(error, first!.error, 'the reason of the first night');
		assert.match(advice!, /'Send Once: Looked-Up Rows'/);
	}
});

void test('failed rows: another table whose name contains theirs is left alone', async () => {
	const { faults } = environment.sandbox;
	const other = `${tableName} of Last Year`;
	const columns = Object.keys((await failed())[0]!).filter((name) => !/^id$|At$/.test(name));
	await createDataTable(session, other, columns);
	const [rowID, wrong] = rowsOfLater.map((row) => row.rowID) as [string, string];
	await insertDataTableRow(session, other, { rowID });
	// n8n finds the table that was changed last: at the start of the night theirs, later the other.
	await insertDataTableRow(session, tableName, { rowID });
	faults.set([{ fault: 'delayBefore', operation, milliseconds: 5000 }]);
	const night = runs(later, 'Every Night', 'error');
	await waitUntilDefined(() => Promise.resolve(faults.struck.delayBefore), 'the night to send');
	await insertDataTableRow(session, other, { rowID: 'of the other' });
	await night;
	// The same nodes, but another workflow.
	assert.ok(await saysItIsNew(later));
	const idsIn = async (table: string) =>
		(await dataTableRows(session, table)).map((row) => row.rowID);
	assert.deepEqual(await idsIn(other), [rowID, 'of the other']);
	const kept = await idsIn(tableName);
	assert.deepEqual([kept.includes(rowID), kept.includes(wrong)], [false, true]);
});

const left = () => dataTableRows(session, 'Shift Schedules Left');

void test('rows in doubt settle themselves over three nights with an outage; the rest is left to a person', async () => {
	const { faults, dialects } = environment.sandbox;
	const before = made('shiftSchedule').length;
	const inService = () => shiftNames(made('shiftSchedule').slice(before)).sort();
	const inTable = async () => (await left()).map(({ name, next }) => `${name}: ${next}`).sort();
	const night = (status: string) => runs(settling, 'Every Night', status);

	// One of the first two, which are identical, is in doubt. B is there, C and D are not.
	faults.set([
		{ fault: 'resetAfter', operation, times: 1 },
		{ fault: 'delayBefore', operation, milliseconds: 0, times: 2 },
		{ fault: 'resetAfter', operation, times: 1 },
		{ fault: 'resetBefore', operation, times: 1 },
		{ fault: 'refuse', operation, status: 503 },
	]);
	await night('success');
	faults.set([]);
	assert.deepEqual(inService(), ['A', 'B', 'Twin', 'Twin']);
	const doubtful = ['B', 'C', 'D', 'Twin'];
	assert.deepEqual(
		await inTable(),
		doubtful.map((name) => `${name}: The next run looks it up.`),
	);
	const reasons = (await left()).map(({ error }) => error);

	// A service without the list.
	await night('error');
	const [first, ...others] = await inTable();
	assert.match(first!, /^B: The list cannot tell \(the list could not be read: .*404/);
	assert.equal(others.length, 3);
	assert.deepEqual(
		(await left()).map(({ error }) => error),
		reasons,
	);
	assert.deepEqual(inService(), ['A', 'B', 'Twin', 'Twin']);

	dialects.beyondSpec = 'lists';
	await night('error');
	assert.deepEqual(inService(), ['A', 'B', 'C', 'D', 'Twin', 'Twin']);
	const rest = await inTable();
	assert.equal(rest.length, 1);
	assert.match(rest[0]!, /^Twin: The list cannot tell \(another row says the same\)/);

	const [{ rowID }] = (await left()) as [{ rowID: string }];
	await changeDataTableRow(session, 'Shift Schedules Left', { rowID }, { answer: 'There' });
	await night('success');
	await night('success');
	assert.deepEqual(inService(), ['A', 'B', 'C', 'D', 'Twin', 'Twin']);
	assert.deepEqual(await left(), []);

	// A row is corrected at its source; a person then corrects its record.
	await correctRowsOfTheNight(session, settling.id, '"A"', '"A corrected"');
	for (let again = 0; again < 2; again++) {
		await night('error');
		assert.deepEqual(inService(), ['A', 'B', 'C', 'D', 'Twin', 'Twin']);
		assert.match(String(await inTable()), /^A corrected: Correct its record in the service: /);
	}
	const { id, data } = rowsOf('shiftSchedule').findLast((row) => row.data.name === 'A')!;
	environment.sandbox.records.update('shiftSchedule', id, { ...data, name: 'A corrected' });
	await night('success');
	await night('success');
	assert.deepEqual(inService(), ['A corrected', 'B', 'C', 'D', 'Twin', 'Twin']);
	assert.deepEqual(await left(), []);
	dialects.beyondSpec = 'nothing';
});

void test('morning report: the sample at a click, and the nights of this n8n through its API, each once', async () => {
	interface Report {
		subject: string;
		rows: Array<Record<string, string>>;
	}
	const report = async (workflow: string): Promise<Report> => {
		const id = await session.start(workflow, 'Every Morning');
		await requireEnd(session, id, 'success');
		const [[{ json }]] = (await outputsOfNode(session, id, 'The Report')) as [[{ json: unknown }]];
		return json as Report;
	};
	const sample = await report(morning.id);
	assert.equal(sample.subject, '2 of 4 executions need a look');
	assert.equal((await report(morning.id)).subject, 'Nothing has run since the last report');

	const { rawApiKey: apiKey } = (await session.post('/api-keys', {
		label: 'Morning report',
		scopes: ['execution:list', 'execution:read'],
		expiresAt: null,
	})) as { rawApiKey: string };
	const data = { apiKey, baseUrl: `${environment.n8n.url}/api/v1` };
	await session.post('/credentials', { name: 'This n8n', type: 'n8nApi', data });
	environment.sandbox.faults.set([{ fault: 'resetAfter', operation, times: 1 }]);
	const night = withRowsOfTheNight(failedRows, [{ ...rowsOfLater[0], rowID: 'new' }]);
	await runs({ id: await importWorkflow(session, night) }, 'Every Night', 'error');
	environment.sandbox.faults.set([]);
	const ofThisN8n = await importWorkflow(session, { ...morning, pinData: {} });
	const { rows } = await report(ofThisN8n);
	const [latestNight] = rows.filter(({ workflow }) => workflow === failedRows.name);
	assert.deepEqual([latestNight!.status, latestNight!.look], ['error', 'yes']);
	assert.match(latestNight!.account!, / at 127\.0\.0\.1:\d+$/);
	assert.equal(latestNight!.did, 'Create Shift Schedules: 1 failed: in doubt [row 1 (item 0)]');
	assert.ok(rows.some(({ did, look }) => / sent/.test(did!) && look === ''));
	assert.equal((await report(ofThisN8n)).rows.length, 0);
	assert.equal((await dataTableRows(session, 'Morning Reports')).length, 4 + rows.length);
});

void test("all of this took one sign-in, and n8n's interface shows no secret", async () => {
	const { exchanges } = environment;
	const of = (wanted: string) => exchanges.filter(({ operation }) => operation === wanted);
	assert.equal(of('passwordToken').length, 1);
	const { authorization: token } = of('listVendors')[0]!.headers;
	const shown = JSON.stringify(
		await session.get(`/credentials/${exampleCredentialId}?includeData=true`),
	);
	assert.match(shown, /"clientId":"station-app"/);
	for (const secret of [token!, subscriptionKey, clients[0]!.secret!, users[0]!.password])
		assert.ok(!shown.includes(secret), `a secret is readable: ${shown}`);
});
