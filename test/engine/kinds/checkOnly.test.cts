// 'Check Only': rows are read and checked as for sending, and the service gets no request at all.
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { createSchedules, namedRows, type CreateOptions } from '../../harness/createSchedules.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { logLevels, n8nLogger } from '../../harness/n8nLogger.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { aDay } from '../../harness/aDay.mts';
import { typedCredential } from '../../../n8n-in-process/sandboxCredential.mts';

useStoreOfKeys();
let onArrival: (operation: string) => void = () => {};
const sandbox = useSandbox({ each: 'test', onArrival: (operation) => onArrival(operation) });

let logged: string[];
beforeEach(() => {
	logged = [];
	for (const level of logLevels)
		jest.spyOn(n8nLogger(), level).mockImplementation((text: string) => void logged.push(text));
});

const create = ({ options, ...more }: CreateOptions = {}) =>
	createSchedules(sandbox.credentials(), {
		options: { checkOnly: true, include: 'sentFields', ...options },
		...more,
	});

const path = '/agencyshiftschedules/shiftschedules';
/** The account that would send it, and its host. */
const account = () => `${typedCredential('').username as string} at ${new URL(sandbox.url).host}`;
/** The output of a valid row. */
const checked = (name: unknown) => {
	const body = { ...aDay, name };
	return { wouldSend: { account: account(), method: 'POST', path, body }, ...body };
};

test('a check of a hundred rows sends nothing and shows what a run then sends', async () => {
	const rows = namedRows(100);
	const { items, hints } = await create({ items: rows });
	expect(items).toEqual(
		rows.map(({ name }, item) => ({ json: checked(name), pairedItem: { item } })),
	);
	// Not even a sign-in.
	expect(sandbox.exchanges).toEqual([]);
	expect(hints).toEqual([
		"Of 100 rows: 100 only checked. To send the 100 checked rows, run the node without 'Check Only'.",
	]);
	expect(logged).toContainEqual(
		expect.stringMatching(
			/: as chief at \S+; 100 of 100 items in .*; 0 tries; held up.*; 100 only checked$/,
		),
	);
	expect(logged.join()).not.toMatch(/\bsent\b/);

	const bodies: unknown[] = items.map(({ json }) => (json.wouldSend as IDataObject).body);
	await create({ items: rows, options: { checkOnly: false } });
	const writes = sandbox.exchanges.filter(({ url }) => url === path);
	expect(writes.map(({ method }) => method)).toEqual(rows.map(() => 'POST'));
	expect(writes.map(({ body }) => JSON.stringify(body)).sort()).toEqual(
		bodies.map((body) => JSON.stringify(body)).sort(),
	);
});

const invalid = [{ name: 'A' }, { name: {} }, { name: 'C' }];

test('invalid rows under Stop give the same error as without the option', async () => {
	const { error } = await create({ items: invalid });
	const ofSending = await create({ items: invalid, options: { checkOnly: false } });
	expect(error?.message).toContain("'Name'");
	expect(`${error}${error?.description}`).toBe(`${ofSending.error}${ofSending.error?.description}`);
	expect(sandbox.exchanges).toEqual([]);
});

test('invalid rows under Continue: each item shows what is wrong or what would be sent', async () => {
	const { json, hints } = await create({ items: invalid, nodeSettings: continueOnFail });
	expect(json).toEqual([
		checked('A'),
		expect.objectContaining({
			error: expect.objectContaining({ code: 'invalidValues', outcome: 'notSent', row: 2 }),
		}),
		checked('C'),
	]);
	expect(hints).toEqual([
		"Of 3 rows: 2 only checked, 1 failed: not sent [row 2 (item 1)]. To send the 2 checked rows, run the node without 'Check Only'.",
	]);
	expect(sandbox.exchanges).toEqual([]);
});

/** Shift schedules with numbers as keys. */
const withKeys = (names: Record<number, string>, more: CreateOptions = {}) =>
	create({
		items: Object.entries(names).map(([id, name]) => ({ id, name })),
		nodeSettings: continueOnFail,
		mode: 'trigger',
		...more,
		options: { sendOnceKey: '={{ $json.id }}', include: undefined, ...more.options },
	});
const sending = { checkOnly: false };

test('Send Once: a check shows what a run would do with each row, and leaves no trace', async () => {
	await withKeys({ 1: 'row a', 2: 'row b' }, { options: sending });
	const operation = 'createShiftSchedule';
	sandbox.faults.set([{ operation, fault: 'resetAfter', times: 1 }]);
	await withKeys({ 3: 'row c' }, { options: { ...sending, maxTries: 1 } });
	sandbox.faults.set([]);
	const rows = { 1: 'row a', 2: 'row x', 3: 'row c', 4: 'row d', 5: 'row a' };
	const before = sandbox.exchanges.length;
	for (let run = 0; run < 2; run++) {
		const { json, hints } = await withKeys(rows);
		expect(json).toMatchObject([
			{ alreadySent: true, key: '1' },
			{ error: { outcome: 'inDoubt', key: '2' } },
			{ error: { outcome: 'inDoubt', key: '3' } },
			{ wouldSend: { body: { name: 'row d' } } },
			{ error: { outcome: 'inDoubt', key: '5' } },
		]);
		expect(hints).toEqual([
			'Of 5 rows: 1 already sent, 1 only checked, 3 failed: in doubt [rows 2–3, 5 (items 1–2, 4; keys "2", "3", "5")]. To send the 1 checked row, run the node without \'Check Only\'.',
		]);
	}
	const stopped = await withKeys(rows, { nodeSettings: { onError: 'stopWorkflow' } });
	expect(stopped.error?.message).toContain('was sent with other values');
	const twice = await create({ items: namedRows(2), options: { sendOnceKey: '=7' } });
	expect(twice.error?.message).toContain('more than once');
	expect(sandbox.exchanges).toHaveLength(before);
	await withKeys(rows, { options: sending });
	expect(rowNames(sandbox).sort()).toEqual(['row a', 'row b', 'row c', 'row d']);
});

test("n8n's log and the saved execution show that 'Check Only' was left on in a published workflow", async () => {
	const { data } = await withKeys({ 1: 'row a' });
	expect(data.resultData.metadata?.Agency_Records).toMatch(/^as chief at \S+: 1 only checked$/);
	expect(logged).toContainEqual(expect.stringMatching(/; 1 only checked$/));
});

test('a retry of a failed execution sends the rows that were only checked', async () => {
	const rows = namedRows(3).map((row, n) => ({ ...row, rehearse: n === 0 }));
	const operation = 'createShiftSchedule';
	sandbox.faults.set([{ operation, fault: 'refuse', status: 409, times: 1 }]);
	const options = { checkOnly: '={{ $json.rehearse }}', parallelRequests: 1 };
	const { error, data } = await create({ items: rows, options });
	expect(error?.httpCode).toBe('409');
	expect(rowNames(sandbox)).toEqual([]);
	const sending = { options: { checkOnly: false }, retryOf: data };
	expect((await create({ items: rows, ...sending })).error).toBeUndefined();
	expect(rowNames(sandbox).sort()).toEqual(['row 0', 'row 1', 'row 2']);
});

test.each([
	['a switch', true],
	['an expression', '={{ true }}'],
])('a retry that only checks, by %s, keeps the place where the run ended', async (_, checkOnly) => {
	const operation = 'createShiftSchedule';
	let arrived = 0;
	onArrival = (arriving) => {
		if (arriving === operation && ++arrived === 2)
			sandbox.faults.set([{ operation, fault: 'refuse', status: 409, times: 1 }]);
	};
	const sending = { checkOnly: false, parallelRequests: 1 };
	const rows = namedRows(3);
	const { error, data } = await create({ items: rows, options: sending });
	expect([error?.httpCode, rowNames(sandbox)]).toEqual(['409', ['row 0']]);
	const check = await create({ items: rows, retryOf: data, options: { checkOnly } });
	expect(check.json).toEqual([
		expect.objectContaining({ shiftScheduleID: expect.any(Number) as number }),
		checked('row 1'),
		checked('row 2'),
	]);
	await create({ items: rows, retryOf: data, options: sending });
	expect(rowNames(sandbox).sort()).toEqual(['row 0', 'row 1', 'row 2']);
});

test('with an expression, only the rows for which it is off are sent; if it gives nothing, none is', async () => {
	const options = { checkOnly: '={{ $json.rehearse }}' };
	const rows = namedRows(3).map((row, n) => ({ ...row, rehearse: n !== 1 }));
	const { json, hints } = await create({ items: rows, options });
	expect([json[0], json[2]]).toEqual([checked('row 0'), checked('row 2')]);
	expect(rowNames(sandbox)).toEqual(['row 1']);
	expect(hints).toEqual([
		"Of 3 rows: 1 sent, 2 only checked. To send the 2 checked rows, run the node without 'Check Only'.",
	]);
	const { error } = await create({ items: namedRows(1), options });
	expect(error?.message).toContain("'Check Only'");
	expect(rowNames(sandbox)).toEqual(['row 1']);
});

test('bulk: each item shows its part of the request, and a duplicate path is refused', async () => {
	const patch = (...paths: string[]) =>
		sandbox.run({
			node: new AgencyLicenses(),
			items: paths.map((one) => ({ path: one })),
			parameters: {
				op: 'replace',
				path: { entries: [{ path: '={{ $json.path }}' }] },
				value: { entries: [{ userID: 7 }] },
				options: { checkOnly: true, include: 'responseOnly' },
			},
		});
	const { json } = await patch('/licenses/1', '/licenses/2');
	expect(json).toEqual(
		['/licenses/1', '/licenses/2'].map((one) => ({
			wouldSend: {
				account: account(),
				method: 'PATCH',
				path: '/agencylicenses/licenses',
				body: { op: 'replace', path: [{ path: one }], value: [{ userID: 7 }] },
			},
		})),
	);
	const { error } = await patch('/licenses/1', '/licenses/1');
	expect(error?.message).toContain('more than once');
	expect(sandbox.exchanges).toEqual([]);
});

test('a file is shown by its name and size, and a missing one is an error', async () => {
	const data = { data: Buffer.from('four').toString('base64'), mimeType: 'text/plain' };
	const upload = (item: INodeExecutionData, options: INodeParameters = {}) =>
		sandbox.run({
			node: new AgencyFiles(),
			items: [item],
			parameters: { options: { checkOnly: true, ...options } },
		});
	const item = { json: {}, binary: { data: { ...data, fileName: 'plan.txt' } } };
	const wouldSend = {
		account: account(),
		method: 'POST',
		path: '/agencyfiles/files',
		file: { partName: 'file', name: 'plan.txt', type: 'text/plain', size: 4 },
	};
	expect((await upload(item)).json).toEqual([{ wouldSend }]);
	const { json } = await upload(item, { additionalFields: '{"agencyID": 12}' });
	expect(json).toEqual([{ wouldSend: { ...wouldSend, fields: { agencyID: 12 } } }]);
	expect((await upload({ json: {} })).error?.message).toContain('no file');
	expect(sandbox.exchanges).toEqual([]);
});

test('the reason why a credential is unusable is shown instead of its account, and the rows are still checked', async () => {
	const { json, error } = await createSchedules(
		sandbox.credentials({ baseUrl: 'http://a.example' }),
		{ items: namedRows(1), options: { checkOnly: true } },
	);
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({
		wouldSend: { account: expect.stringMatching(/^'Base URL' in the credential must be/), path },
	});
});

test("an account's name contains no secret", async () => {
	const password = 'a secret that is a name, too';
	const credentials = sandbox.credentials({ username: password, password });
	const { json } = await create({ credentials, items: namedRows(1) });
	expect(JSON.stringify(json)).toContain('*** at ');
	expect(JSON.stringify(json)).not.toContain(password);
});
