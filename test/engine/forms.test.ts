// Forms as a person fills them in, through n8n's own engine: samples, dates of spreadsheets, what is returned.
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { labelOf } from '../../engine/form/labels';
import { AgencyEvents } from '../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyFiles } from '../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyInspections } from '../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyNotifications } from '../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { startSandbox, type Exchange, type Sandbox } from '../../sandbox/server.mts';
import { entries, type Entry } from '../contract/tables';
import { runNode, storeWith, type RunOptions } from '../harness/run';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
beforeAll(async () => {
	sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
});
beforeEach(() => (exchanges = []));
afterAll(() => sandbox.close());

const runWith = (options: Omit<RunOptions, 'credentials'>) =>
	runNode({ ...options, credentials: storeWith(sandboxCredential(sandbox.url)) });
const bodies = () =>
	exchanges.filter(({ url }) => url.startsWith('/agency')).flatMap(({ body }) => body);

/** Times as a person wrote them, without the offset of the workflow's time zone. */
const withoutOffsets = (record: unknown): unknown =>
	JSON.parse(JSON.stringify(record).replace(/(T\d\d:\d\d:\d\d)-0\d:00/g, '$1'));

const writing = entries
	.filter(({ operation }) => 'body' in operation && operation.body)
	.map((entry) => [entry.operation.request, entry] as const);

describe.each(writing)('%s', (_, entry) => {
	const { node, resource, operation } = entry;
	const shown = node.description.properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) &&
			displayOptions.show.operation?.includes(operation.name),
	);
	const run = (parameters: INodeParameters, item: IDataObject = {}) =>
		runWith({
			node,
			parameters: { resource, operation: operation.name, ...parameters },
			items: [item],
		});
	const ids = Object.fromEntries((operation.ids ?? []).map(({ name }) => [name, 101]));
	const sample = () => shown.find(({ name }) => name === 'json')!.default as string;

	test('the service takes the sample of the JSON', async () => {
		const record = JSON.parse(sample()) as IDataObject;
		const { error, hints } = await run({ specifyFields: 'inputItem' }, { ...ids, ...record });
		expect([error?.message, hints]).toEqual([undefined, []]);
		expect(bodies().map(withoutOffsets)).toEqual([record]);
	});

	test('the sample as it stands there is not sent', async () => {
		const { error } = await run({ specifyFields: 'json', ...ids });
		expect(error?.message).toMatch(/^'JSON' is still the sample: replace it with your record/);
		expect(exchanges).toEqual([]);
		// Any change will do.
		await run({ specifyFields: 'json', ...ids, json: `${sample()} ` });
		expect(exchanges.filter(({ url }) => url.startsWith('/agency'))).toHaveLength(1);
	});

	test('the service takes the sample below each box of JSON', async () => {
		const inputs = shown.flatMap(({ type, name, options = [] }) =>
			type === 'collection'
				? (options as INodeProperties[]).map((input) => ({ input, collection: name }))
				: [],
		);
		for (const { input, collection } of inputs.filter(({ input }) => input.type === 'json')) {
			const given = /for instance: (.*)\. This is an assumption/.exec(input.hint!)![1]!;
			const needed = operation.kind === 'bulk' ? pathOf(entry) : {};
			const { error } = await run({ ...ids, ...needed, [collection]: { [input.name]: given } });
			expect([input.name, error?.message]).toEqual([input.name, undefined]);
			expect(JSON.stringify(bodies().at(-1))).toContain(JSON.stringify(JSON.parse(given)));
		}
	});

	test('a form that nobody filled in is not sent', async () => {
		const { error } = await run({ ...ids }).catch((issues: Error) => ({ error: issues }));
		expect(error?.message).toMatch(
			operation.kind === 'bulk' ? /Parameter "Path" is required/ : /^No field has a value: fill in/,
		);
		expect(exchanges).toEqual([]);
	});

	test('IDs that expressions leave empty are named beside all else that is wrong', async () => {
		const empty = (operation.ids ?? []).map((field) => [field, '={{ "" }}'] as const);
		if (empty.length === 0) return;
		const given = Object.fromEntries(empty.map(([{ name }, expression]) => [name, expression]));
		const { error } = await run({ ...given, options: { maxTries: 0 } });
		for (const [field] of empty) {
			expect(error?.message).toContain(`'${labelOf(field)}' is required and not filled in`);
		}
		expect(error?.message).toMatch(/'Max Tries' is 0.*No field has a value/);
		expect(exchanges).toEqual([]);
	});
});

const pathOf = ({ operation }: Entry): INodeParameters => {
	if (operation.kind !== 'bulk') return {};
	const path = operation.pathsField === 'paths' ? '/apparatus/101/maintenance' : '/licenses/101';
	return { [operation.pathsField]: { entries: [{ path }] } };
};

describe('what is returned of a write', () => {
	const event = () => sandbox.records.list('event', { limit: 1 }).rows[0]!.id;
	const item = { json: { who: 'Rider', name: 'A shift', station: '4' } };
	const binary = {
		data: { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' },
	};
	const output = async (
		node: RunOptions['node'],
		parameters: INodeParameters,
		include?: string,
		given: INodeExecutionData = item,
	) => {
		const options = include === undefined ? {} : { include };
		const { json, error } = await runWith({
			node,
			items: [given],
			parameters: { ...parameters, options },
		});
		expect(error).toBeUndefined();
		return json;
	};
	const shift = {
		fields: { name: '={{ $json.name }}', stationNumber: '={{ $json.station }}', toDate: '' },
	};
	const id = expect.any(Number);

	test.each([
		[undefined, { shiftScheduleID: id }],
		['sentFields', { shiftScheduleID: id, name: 'A shift', stationNumber: '4' }],
		['inputItem', { shiftScheduleID: id, ...item.json }],
	])('a record, with %s', async (include, expected) => {
		const [result] = await output(new AgencyShiftSchedules(), shift, include);
		expect(result).toEqual(expected);
		expect(Object.keys(result!)[0]).toBe('shiftScheduleID');
	});

	test('what the service says of a field counts', async () => {
		const parameters = {
			fields: { notificationID: 7_000_000 },
			notificationModel: { status: 'new' },
		};
		const [result] = await output(new AgencyNotifications(), parameters, 'sentFields');
		const { notificationID, ...sent } = result!;
		expect(notificationID).toMatch(/^\d+$/);
		expect(notificationID).not.toBe('7000000');
		expect(sent).toEqual({ notificationModel: { status: 'new' } });
	});

	test('IDs are sent too', async () => {
		const eventID = event();
		const parameters = { eventID, fields: { eventName: 'Open house' } };
		expect(await output(new AgencyEvents(), parameters, 'sentFields')).toEqual([
			{ updated: true, eventID, eventName: 'Open house' },
		]);
		const { id: answerID, data } = sandbox.records.list('inspectionAnswer').rows[3]!;
		const ids = { inspectionID: data.inspectionID as number, answerID };
		expect(await output(new AgencyInspections(), ids, 'sentFields')).toEqual([
			{ archived: true, ...ids },
		]);
	});

	test('of a bulk patch, with each path', async () => {
		const parameters = {
			path: { entries: [{ path: '/licenses/101' }, { path: '/licenses/102' }] },
			value: { entries: [{ userID: 7 }] },
		};
		const done = (path: string) => ({ path, status: 200 });
		const sent = { op: 'replace', value: [{ userID: 7 }] };
		expect(await output(new AgencyLicenses(), parameters, 'sentFields')).toEqual([
			{ ...done('/licenses/101'), ...sent },
			{ ...done('/licenses/102'), ...sent },
		]);
		expect((await output(new AgencyLicenses(), parameters, 'inputItem'))[1]).toEqual({
			...item.json,
			...done('/licenses/102'),
		});
	});

	test('of an upload: the item beside the file', async () => {
		const [result] = await output(new AgencyFiles(), {}, 'inputItem', { ...item, binary });
		expect(result).toMatchObject({ ...item.json, fileName: 'x.txt', fileGUID: expect.any(String) });
	});

	test('a read has no such option', () => {
		const { properties } = new AgencyShifts().description;
		const { options } = properties.find(({ name }) => name === 'options')!;
		expect(options!.map(({ name }) => name)).not.toContain('include');
	});

	test('an item that failed says what it always says', async () => {
		const { json } = await runWith({
			node: new AgencyEvents(),
			parameters: {
				eventID: 999_999,
				fields: { eventName: 'x' },
				options: { include: 'inputItem' },
			},
			items: [item],
			node$: { onError: 'continueRegularOutput' },
		});
		expect(Object.keys(json[0]!)).toEqual(['message', 'error']);
	});
});

describe('a license patch', () => {
	const patch = (parameters: INodeParameters) =>
		runWith({
			node: new AgencyLicenses(),
			parameters: {
				path: { entries: [{ path: '/licenses/101' }] },
				value: { entries: [{ userID: 7 }] },
				...parameters,
			},
		});

	test.each([
		[{}, 'replace'],
		[{ op: 'replace' }, 'replace'],
		[{ op: 'custom', opCustom: 'add' }, 'add'],
		[{ op: '={{ "remove" }}' }, 'remove'],
	])('%j is %s', async (parameters, op) => {
		const { error } = await patch(parameters);
		expect(error).toBeUndefined();
		expect(bodies()).toEqual([{ op, path: [{ path: '/licenses/101' }], value: [{ userID: 7 }] }]);
	});

	test('users may be left out, since the interface asks for none', async () => {
		for (const value of [{ entries: [{ userID: '' }] }, { entries: [] }]) {
			await patch({ value });
		}
		const sent = { op: 'replace', path: [{ path: '/licenses/101' }] };
		expect(bodies()).toEqual([sent, sent]);
	});
});
