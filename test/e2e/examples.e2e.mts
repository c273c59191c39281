// The examples that need n8n's own nodes, on a running n8n server: what goes in, and what the agency has after.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import type { WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { dataTableRows } from '../../n8n-full/dataTables.mts';
import { startChatModel, type ChatModel } from '../../n8n-full/chatModel.mts';
import { openFormEnding, formFile, submitForm } from '../../n8n-full/forms.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { readSpreadsheet } from '../../n8n-full/spreadsheet.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	n8nOwner,
	readExample,
	withNode,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';

const vendors = readExample('nightly-vendor-changes');
const shifts = readExample('shift-schedules-from-a-csv');
const licenses = readExample('licenses-from-a-spreadsheet');
const photos = readExample('inspection-photos');
const fires = readExample('wildland-fire-report');
const signIn = readExample('sign-in-sheet');
const agent = readExample('agent-at-the-station');
const check = readExample('service-check');
const examples = [vendors, shifts, licenses, photos, fires, signIn, agent, check];

let environment: N8nWithSandbox;
let model: ChatModel;
let stop: (() => Promise<void>) | undefined;
let session: N8nSession;

/** The same example with a sheet of its own: the path is what its person puts in. */
const licensesInFolder = (path: string) => ({
	...withNode(licenses, 'Sheet in a Folder', { parameters: { fileSelector: path } }),
	id: 'licensesInFolder',
	pinData: {},
});

/** The path at which a night of the check begins. */
const night = 'night';

/** The same check with a night that begins when it is asked to: a schedule would let the tests wait. */
const nightlyCheck = {
	...withNode(check, 'Every Night', {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: night,
		parameters: { path: night, responseMode: 'lastNode', responseData: 'noData' },
	}),
	id: 'nightlyCheck',
};

before(
	async () => {
		environment = await openN8nWithSandbox(Number(process.env.E2E_PORT ?? 15_708));
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
		const copies = [nightlyCheck, licensesInFolder(join(folder, 'renewals.xlsx'))];
		await n8n.import('workflow', [...examples, ...copies]);
		stop = await n8n.start();
		session = await n8n.session(n8nOwner);
		for (const { id } of [shifts, photos, fires, signIn, nightlyCheck]) await session.publish(id);
	},
	{ timeout: 20 * 60_000 },
);
beforeEach(() => environment.sandbox.faults.set([]));
after(async () => {
	await stop?.();
	await model?.close();
	await environment?.close();
});

const rowsOf = (kind: string) =>
	environment.sandbox.records.list(kind, { showArchived: true }).rows;
const made = (kind: string) => rowsOf(kind).map(({ data }) => data);

/** What a part of a test adds to the agency's records of a kind. */
async function added(kind: string, work: () => Promise<void>) {
	const count = rowsOf(kind).length;
	await work();
	return made(kind).slice(count);
}

/** Path of a file that was uploaded, in the sandbox. */
const pathOf = ({ fileGUID }: Record<string, unknown>): string =>
	join(environment.sandbox.filesFolder, fileGUID as string);

async function runs(file: { id: string }, trigger: string, status = 'success'): Promise<void> {
	assert.equal((await session.run(file.id, trigger)).status, status);
}

/**
 * Every status, by name: without them n8n lists those that run and those that have ended with two queries, and one that
 * ends between the two is on neither.
 */
const anyStatus = ['new', 'running', 'waiting', 'success', 'error', 'crashed', 'canceled'];

/** ID of the latest execution of a workflow, once it has ended. */
async function latest({ id }: { id: string }, status: string): Promise<string> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id, status: anyStatus }));
	const { results } = (await session.get(`/executions?filter=${filter}&limit=1`)) as {
		results: Array<{ id: string }>;
	};
	const [execution] = results as [{ id: string }];
	assert.equal(await session.endOf(execution.id), status);
	return execution.id;
}

void test('n8n knows every node of the examples, in the version they name', async () => {
	const answer = await fetch(`${environment.n8n.url}/types/nodes.json`, {
		headers: { cookie: session.cookie },
	});
	const types = (await answer.json()) as Array<{ name: string; version: number | number[] }>;
	for (const { name, nodes } of examples as WorkflowFile[]) {
		for (const { type, typeVersion } of nodes) {
			const isKnown = types.some(
				(known) => known.name === type && [known.version].flat().includes(typeVersion),
			);
			assert.ok(isKnown, `${name}: ${type} ${typeVersion}`);
		}
	}
});

void test('vendors: first all, then only what has changed, also after a night that failed', async () => {
	const vendorIDs = async (file: Record<string, unknown>) =>
		(await readSpreadsheet(pathOf(file))).map((row) => row.departmentBusinessID);
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
	const [changes] = await added('file', async () => {
		await session.post(`/executions/${id}/retry`, { loadWorkflow: false });
	});
	assert.match(changes!.fileName as string, /^vendor-changes-\d{4}-\d{2}-\d{2}\.xlsx$/);
	const rows = await readSpreadsheet(pathOf(changes!));
	assert.deepEqual(
		rows.map(({ departmentBusinessID, phone, archive }) => [departmentBusinessID, phone, archive]),
		[
			[110, '555-0199', 'false'],
			[120, store.get('vendor', 120)!.data.phone, 'true'],
		],
	);
});

const shiftNames = (records: Array<Record<string, unknown>>) => records.map(({ name }) => name);

void test('shifts: at one click the sample is planned, at the next nothing is planned twice', async () => {
	const run = () => runs(shifts, 'Upload Form', 'waiting');
	assert.deepEqual(shiftNames(await added('shiftSchedule', run)).sort(), [
		'A shift, April 1',
		'B shift, April 2',
		'B shift, April 5',
	]);
	assert.deepEqual(await added('shiftSchedule', run), []);
});

void test('shifts: rows come back with their reasons, and can be uploaded once they are correct', async () => {
	const { n8n, sandbox } = environment;
	const upload = async (csv: string) =>
		await openFormEnding(
			await submitForm(n8n, 'next-months-shifts', [formFile('May.csv', 'text/csv', csv)]),
		);
	sandbox.faults.set([
		{ fault: 'refuse', operation: 'createShiftSchedule', status: 400, times: 1 },
	]);
	const columns = 'Shift,Begins,Ends,Station';
	let left = '';
	const [none, planned] = [
		await added('shiftSchedule', async () => {
			const { title, message, files } = await upload(
				`\uFEFF${columns}\nA,5/1/2026 7:00 AM,5/2/2026 7:00 AM,04\nB,soon,5/3/2026 7:00 AM,04\nC,5/3/2026 7:00 AM,5/4/2026 7:00 AM,\n`,
			);
			assert.equal(title, 'Some rows are left over');
			assert.match(message, /^3 of 3 rows were not planned/);
			left = files['rows-to-correct.csv']!;
		}),
		await added('shiftSchedule', async () => {
			const lines = left.trim().split('\n');
			assert.deepEqual(
				lines.map((line) => line.replace(/^\uFEFF/, '').replace(/told to.*/, 'told to …')),
				[
					`${columns},Reason`,
					'A,5/1/2026 7:00 AM,5/2/2026 7:00 AM,04,"The service answered with status 400: The sandbox was told to …',
					'B,soon,5/3/2026 7:00 AM,04,"Missing, or not a time such as 4/1/2026 7:00 AM: Begins"',
					'C,5/3/2026 7:00 AM,5/4/2026 7:00 AM,,"Missing, or not a time such as 4/1/2026 7:00 AM: Station"',
				],
			);
			const { title, message, files } = await upload(
				left.replace('soon', '5/2/2026 7:00 AM').replace(',,', ',04,'),
			);
			assert.equal(title, 'All shifts are planned');
			assert.equal(message, '3 shifts are on the schedule.');
			assert.deepEqual(files, {});
		}),
	];
	assert.deepEqual(none, []);
	assert.deepEqual(shiftNames(planned).sort(), ['A', 'B', 'C']);
	assert.deepEqual(
		planned.map(({ fromDate, stationNumber }) => `${String(fromDate)} at ${String(stationNumber)}`),
		['1', '2', '3'].map((day) => `2026-05-0${day}T07:00:00-05:00 at 04`),
	);
});

/** The officers of each license in the service, by its ID. */
const officers = () => new Map(rowsOf('license').map(({ id, data }) => [id, data.userIDs]));

void test('licenses: a sheet is patched, and what is refused comes back as a sheet', async () => {
	const { folder } = environment;
	const [sample] = licenses.pinData!['Sheet in a Folder']!;
	const sheet = join(folder, 'renewals.xlsx');
	writeFileSync(sheet, Buffer.from(sample!.binary!.data!.data, 'base64'));
	const rows = await readSpreadsheet(sheet);
	const known = rows.filter(({ License }) => (License as number) < 9000);
	for (const file of [licenses, licenses, licensesInFolder(sheet)]) {
		for (const { License } of known) {
			environment.sandbox.records.update('license', License as number, { userIDs: [] });
		}
		const [refused] = await added('file', () => runs(file, 'Every Monday'));
		for (const { License, Officer } of known) {
			assert.deepEqual(officers().get(License as number), [Officer]);
		}
		const left = await readSpreadsheet(pathOf(refused!));
		assert.deepEqual(
			left.map(({ License, Officer, Outcome }) => [License, Officer, Outcome]),
			[
				['9001', '901', 'refused'],
				['9002', '901', 'refused'],
			],
		);
		assert.match(left[0]!.Reason as string, /\/licenses\/9001.*404/);
	}
});

const submitPhotos = () =>
	submitForm(environment.n8n, 'inspection-photos', [
		'2007',
		'Hose bed is torn',
		['bed.jpg', 'seam.jpg'].map((name) => formFile(name, 'image/jpeg', `Photo ${name}`)),
	]);

const told = (notifications: Array<Record<string, unknown>>) =>
	notifications.map(({ notificationModel }) => notificationModel as Record<string, unknown>);

void test('photos: the form puts them into the files, and a notification names them', async () => {
	let uploaded: Array<Record<string, unknown>> = [];
	const notifications = await added('notification', async () => {
		uploaded = await added('file', async () => assert.ok((await submitPhotos()).ok));
	});
	const content = ({ fileName }: Record<string, unknown>) => `Photo ${String(fileName)}`;
	assert.deepEqual(uploaded.map(({ fileName }) => fileName).sort(), ['bed.jpg', 'seam.jpg']);
	for (const file of uploaded) assert.equal(readFileSync(pathOf(file), 'utf8'), content(file));
	const guid = (name: string) => uploaded.find(({ fileName }) => fileName === name)!.fileGUID;
	const [{ description, ...notification }, ...others] = told(notifications) as [
		Record<string, unknown>,
	];
	assert.deepEqual([notification, others], [{ equipmentID: 2007, status: 'Needs repair' }, []]);
	// n8n hands the files of a form on in the order in which it has written them to its disk.
	const named = ['bed.jpg', 'seam.jpg'].map((name) => `${name} (${String(guid(name))})`);
	assert.ok(
		[named, named.toReversed()].some(
			(photos) => description === `Hose bed is torn. Photos: ${photos.join(', ')}`,
		),
		String(description),
	);
	for (let run = 0; run < 2; run++) {
		assert.equal((await added('file', () => runs(photos, 'Inspection Form'))).length, 2);
	}
});

void test('photos: one that is not uploaded is seen by its sender and by the agency', async () => {
	environment.sandbox.faults.set([
		{ fault: 'refuse', operation: 'uploadFile', status: 400, times: 1 },
	]);
	let uploaded: Array<Record<string, unknown>> = [];
	const notifications = await added('notification', async () => {
		uploaded = await added('file', async () => {
			assert.equal((await submitPhotos()).status, 500);
		});
	});
	const [{ fileName, fileGUID }] = uploaded as [Record<string, string>];
	assert.equal(uploaded.length, 1);
	assert.deepEqual(
		told(notifications).map(({ description }) => description),
		[`Hose bed is torn. Photos: ${fileName} (${fileGUID})`],
	);
	await latest(photos, 'error');
});

const fire = { IncidentName: 'Ridge Road Fire', District: 'North', FinalFireAcreage: 12 };

/** Sends a report, and gives the answer: its status and what it says. */
async function report(body: object): Promise<[number, Record<string, unknown>]> {
	const answer = await fetch(`${environment.n8n.url}/webhook/wildland-fire-report`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return [answer.status, (await answer.json()) as Record<string, unknown>];
}

void test('fires: a report is entered, and its sender gets the ID', async () => {
	const [entered] = await added('wildlandFire', async () => {
		const [status, { NASFWildlandFireID }] = await report({ exposureID: 104, fire });
		assert.equal(status, 201);
		assert.equal(NASFWildlandFireID, rowsOf('wildlandFire').at(-1)!.id);
	});
	assert.deepEqual(entered, { exposureID: 104, ...fire });
	for (let run = 0; run < 2; run++) {
		assert.equal((await added('wildlandFire', () => runs(fires, 'Report'))).length, 1);
	}
});

void test('fires: a bad report is answered with the reasons', async () => {
	const none = await added('wildlandFire', async () => {
		for (const [body, reason] of [
			[{}, /^Missing: exposureID, fire.IncidentName, fire.District$/],
			[{ exposureID: 104, fire: { ...fire, District: '' } }, /^Missing: fire.District$/],
			[{ exposureID: 'x', fire }, /^'Exposure ID' is "x", but must be a whole number/],
			[{ exposureID: 104, fire: { ...fire, Acres: 3 } }, /^'Acres' is not a field/],
			[{ exposureID: 9999, fire }, /no exposure has this ID/],
		] as const) {
			const [status, { reasons }] = await report(body);
			assert.equal(status, 400, JSON.stringify(body));
			assert.match((reasons as string[]).join('; '), reason);
		}
	});
	assert.deepEqual(none, []);
	await latest(fires, 'success');
});

void test('fires: what is not the fault of the sender says whether to send it again', async () => {
	const { faults } = environment.sandbox;
	const operation = 'createWildlandFire';
	faults.set([{ fault: 'refuse', operation, status: 503, retryAfter: 1 }]);
	assert.deepEqual(await report({ exposureID: 104, fire }), [
		503,
		{ outcome: 'refused', sendAgain: true },
	]);
	await latest(fires, 'error');
	faults.set([{ fault: 'resetAfter', operation, times: 1 }]);
	assert.deepEqual(await report({ exposureID: 104, fire }), [
		502,
		{ outcome: 'unknown', sendAgain: false },
	]);
	await latest(fires, 'error');
});

/** Submits the form with the sample's sheet, one ID in it changed, and waits for the end. */
async function submitSheet(wrong: string, right: string): Promise<void> {
	const { data } = signIn.pinData!['Sign-In Form']![0]!.binary!.Sign_In_Sheet!;
	const sheet = Buffer.from(data, 'base64').toString().replace(wrong, right);
	const file = formFile('Sheet.csv', 'text/csv', sheet);
	const submitted = await submitForm(environment.n8n, 'after-an-event', ['101', '4', '2', file]);
	assert.ok(submitted.ok);
	await latest(signIn, 'success');
}

void test('sign-in sheet: the event gets its visitors, each member points once', async () => {
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
			credited.sort((a, b) => (a.userID as number) - (b.userID as number)),
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

void test('agent: it reads, is told what does not fit, corrects itself and plans', async () => {
	for (let run = 0; run < 2; run++) {
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
	}
	const { tools, messages } = model.requests.at(-1)!;
	const names = tools.map(({ function: { name } }) => name).sort();
	assert.deepEqual(names, ['Look_Up_Vendors', 'Plan_a_Shift', 'Read_a_Shift']);
	const [vendorsFound, shift, refused, created] = messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => JSON.parse(content as string) as Array<Record<string, unknown>>);
	const gear = made('vendor').filter(({ category }) => category === 'Turnout Gear');
	const known = new Set(gear.map(({ name }) => name));
	assert.equal(vendorsFound!.length, 20);
	assert.ok(vendorsFound!.every(({ name }) => known.has(name)));
	assert.equal((shift![0]!.shift as { color: string }).color, made('shift')[0]!.color);
	assert.match(JSON.stringify(refused), /'From Date' is .*tomorrow.*notSent/);
	assert.deepEqual(created, [{ shiftScheduleID: rowsOf('shiftSchedule').at(-1)!.id }]);
});

/** What is written down of the checks. */
const findings = () => dataTableRows(session, 'Findings of the Service Check');

void test('check: at each click all answers are kept, and nobody is told', async () => {
	assert.deepEqual(await added('notification', () => runs(check, 'Every Night')), []);
	const first = await findings();
	const pageSize = first.find(({ question }) => question === 'How many rows may a page have?');
	assert.match(pageSize!.answer!, /^200/);
	assert.deepEqual(await added('notification', () => runs(check, 'Every Night')), []);
	const again = (await findings()).slice(first.length);
	const asked = (rows: typeof first) => rows.map(({ question }) => question).sort();
	assert.deepEqual(asked(again), asked(first));
});

void test('check: night by night, what has changed is kept, and the agency is told', async () => {
	let count = (await findings()).length;
	const { dialects } = environment.sandbox;
	const checked = async () => {
		const notifications = await added('notification', async () => {
			const answer = await fetch(`${environment.n8n.url}/webhook/${night}`);
			assert.equal(answer.status, 200, await answer.text());
			await latest(nightlyCheck, 'success');
		});
		const rows = (await findings()).slice(count);
		count += rows.length;
		return { rows, notifications };
	};
	const firstNight = await checked();
	assert.ok(firstNight.rows.length > 10);
	assert.deepEqual(firstNight.notifications, []);
	assert.deepEqual(await checked(), { rows: [], notifications: [] });

	dialects.largestPage = 'rows50';
	const { rows, notifications } = await checked();
	dialects.largestPage = 'rows200';
	assert.ok(rows.some(({ question }) => question === 'How many rows may a page have?'));
	assert.deepEqual(
		told(notifications)
			.map(({ description }) => description)
			.sort(),
		rows
			.map(
				({ question, answer, before }) =>
					`The records service has changed. ${question} Now: ${answer} Before: ${before}`,
			)
			.sort(),
	);
});
