// File upload: bytes and names arrive unchanged, from memory and from n8n's file store.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync, truncateSync, type ReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { Container, core, setBinaryMode } from '../../../n8n-in-process/n8n.mts';
import { continueOnFail, type RunOptions } from '../../harness/run.cts';
import { startFakeService, startHastyService, type FakeService } from '../../harness/server.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const sandbox = useSandbox();
beforeAll(() => setBinaryMode('filesystem'));
afterAll(() => setBinaryMode('default'));

const upload = (options: Partial<RunOptions>) =>
	sandbox.run({ node: new AgencyFiles(), ...options, parameters: { ...options.parameters } });

/** Data that travels inside the item. */
const inItem = (content: Buffer, fileName?: string): IBinaryData => ({
	data: content.toString('base64'),
	mimeType: 'application/pdf',
	...(fileName !== undefined && { fileName }),
});

/** Data that n8n keeps in its file store, as its server does by default. */
const inStore = async (content: Buffer, fileName: string): Promise<IBinaryData> =>
	await Container.get(core.BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow', executionId: 'run' },
		Readable.from([content]),
		{ data: '', mimeType: 'application/pdf', fileName },
	);

const itemWith = (data: IBinaryData, field = 'data'): INodeExecutionData => ({
	json: {},
	binary: { [field]: data },
});
const storedFile = (fileGUID: unknown) =>
	readFileSync(join(sandbox.filesFolder, fileGUID as string));

// Compared with equals(): toEqual() compares each byte separately, which takes half a second.
const content = randomBytes(300_000);
const inLines = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');

test.each([
	['in the item', async (name: string) => inItem(content, name)],
	[
		'in lines, as of MIME',
		async (name: string) => ({ ...inItem(content, name), data: inLines(content) }),
	],
	['in the file store', async (name: string) => await inStore(content, name)],
])('a file %s arrives as it is, with its name and type', async (_, binary) => {
	const name = 'Inspection report.pdf';
	const { items, error } = await upload({ items: [itemWith(await binary(name))] });
	expect(error).toBeUndefined();
	const { headers } = sandbox.exchanges.at(-1)!;
	expect(Number(headers['content-length'])).toBeGreaterThan(content.length);
	expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
	const file = { fileName: name, fileSize: content.length, fileContentType: 'application/pdf' };
	expect(items).toMatchObject([{ json: file, pairedItem: { item: 0 } }]);
	expect(storedFile(items[0]!.json.fileGUID).equals(content)).toBe(true);
});

test.each(['a "hello"; semi=1, 100% back\\slash.txt', "O'Brien & Søn – Prüfung №4 消防.pdf"])(
	'the file name %s arrives intact',
	async (fileName) => {
		const { json } = await upload({ items: [itemWith(inItem(Buffer.from('x'), fileName))] });
		expect(json[0]!.fileName).toBe(fileName);
	},
);

test.each([undefined, '', '  '])("a file named %j gets its field's name", async (fileName) => {
	const data = { ...inItem(Buffer.alloc(0), fileName), fileExtension: 'pdf' };
	const { json } = await upload({ items: [itemWith(data, 'report')] });
	// An empty file is a file.
	expect(json[0]).toMatchObject({ fileName: 'report.pdf', fileSize: 0 });
});

test.each<[string, unknown, RegExp]>([
	['without data', { mimeType: 'text/plain' }, /the file has no data: it must be Base64 text/],
	['that is null', null, /it is not a file: a file is an object with data and mimeType/],
	['with a name of digits', { ...inItem(content, 'a'), fileName: 7 }, /fileName .* is not text/],
	['with a type of digits', { ...inItem(content, 'a'), mimeType: 7 }, /mimeType .* is not text/],
	['in no Base64', { ...inItem(content), data: 'data:image/png;base64,eA==' }, /not Base64.*":"/],
])('a file %s, as a Code node may give it, is refused', async (_, file, message) => {
	const { json } = await upload({
		items: [itemWith(inItem(content, 'a.pdf')), itemWith(file as IBinaryData)],
		nodeSettings: continueOnFail,
	});
	expect(json[1]).toMatchObject({
		message: expect.stringMatching(
			/^'Input Data Field Name' is "data", but .* \[row 2 \(item 1\)\]$/,
		),
		error: { row: 2, outcome: 'notSent' },
	});
	expect(json[1]!.message).toMatch(message);
});

// The chunk size of n8n's storage: then the first chunk alone is as long as the file should be.
const chunk = 256 * 1024;
test.each<[string, number, (path: string) => void, RegExp]>([
	['shorter', 300_000, (path) => truncateSync(path, 299_999), /300000 bytes, .* has 299999/],
	['one byte longer', 300_000, (path) => appendFileSync(path, 'x'), /300000 bytes, .* has more/],
	['longer than a chunk', chunk, (path) => appendFileSync(path, 'x'), /262144 bytes, .* has more/],
	[
		'much longer',
		300_000,
		(path) => appendFileSync(path, Buffer.alloc(1e6)),
		/300000 bytes, .* has/,
	],
])('a stored file %s than recorded is not sent as complete', async (_, size, edit, message) => {
	const before = sandbox.records.list('file').rows.length;
	const binary = await inStore(Buffer.alloc(size), 'changed.bin');
	edit(Container.get(core.BinaryDataService).getPath(binary.id!));
	const { error } = await upload({ items: [itemWith(binary)] });
	expect(error?.message).toMatch(message);
	expect(error?.message).not.toMatch(/No response/);
	expect(error?.message).toMatch(/^May already have been processed: look it up/);
	expect(sandbox.records.list('file').rows).toHaveLength(before);
	const sent = sandbox.requests('uploadFile');
	expect(sent.length).toBeLessThan(2);
});

test('the response may contain the file', async () => {
	const file = randomBytes(1_500_000);
	const body = JSON.stringify({ fileGUID: '1', fileData: inLines(file) });
	const service = await startFakeService((_request, response) => response.writeHead(201).end(body));
	const { json, error } = await upload({
		items: [itemWith(inItem(file, 'large.bin'))],
		credentials: credentialsFor(service.url),
	});
	expect([error, json[0]?.fileGUID]).toEqual([undefined, '1']);
});

test('unsent files and empty files are named', async () => {
	const files = { data: inItem(Buffer.alloc(0)), plan: inItem(content), roster: inItem(content) };
	const { json, hints, data } = await upload({
		items: [itemWith(inItem(content)), { json: {}, binary: files }],
	});
	// The entry beside the execution counts them.
	expect(data.resultData.metadata?.Agency_Records).toMatch(/: 2 sent; 2 other files not sent$/);
	expect(storedFile(json[1]!.fileGUID)).toEqual(Buffer.alloc(0));
	expect(hints.join()).toContain("'plan' (row 2), 'roster' (row 2).");
	expect(hints.join()).toContain("Empty (0 bytes): '");
});

describe("in n8n's combined binary mode", () => {
	const settings = { binaryMode: 'combined' } as const;
	const inJson = async (...names: string[]) => {
		const files = names.map(async (name) => [name, await inStore(content, `${name}.pdf`)] as const);
		return Object.fromEntries(await Promise.all(files)) as Record<string, IBinaryData>;
	};
	const sent = async (json: object, parameters = {}, more = {}) => {
		const items = [{ json, ...more } as INodeExecutionData];
		const { json: output, error, hints } = await upload({ items, parameters, settings });
		return { error: error?.message, fileName: output[0]?.fileName, hints: hints.join() };
	};

	test('a file is found in the JSON, where it is also after Split Out', async () => {
		const { plan } = await inJson('plan');
		for (const [json, more] of [
			[{ _files: { plan } }],
			[{ _files: plan }],
			[{ ...plan }],
			// n8n leaves files there that are not in its storage.
			[{ a: 1 }, itemWith(inItem(content, 'plan.pdf'))],
		] as Array<[object, object?]>)
			expect(await sent(json, {}, more && { binary: (more as INodeExecutionData).binary })).toEqual(
				{ fileName: 'plan.pdf', hints: '' },
			);
	});

	test.each(['roster', '_files.roster', '={{ $json._files.roster }}'])(
		'%s names one of several, and the others are told',
		async (inputDataFieldName) => {
			const _files = await inJson('roster', 'plan');
			const { hints, ...uploaded } = await sent({ _files }, { inputDataFieldName });
			expect(uploaded).toEqual({ fileName: 'roster.pdf' });
			if (!inputDataFieldName.startsWith('=')) expect(hints).toMatch(/or _files.*: 'plan'\.$/);
			expect((await sent({ _files })).error).toMatch(/its files are: roster, plan; .*or _files/);
		},
	);

	test('an item without a file is refused, whatever its JSON has', async () => {
		for (const json of [{}, { _files: 'a' }, { _files: null }, { id: 'x:1', mimeType: 'a/b' }])
			expect((await sent(json)).error).toMatch(/it has no files/);
	});

	test('outside this mode, JSON holds no files', async () => {
		const { plan } = await inJson('plan');
		for (const json of [{ _files: { plan } }, { ...plan }] as IDataObject[])
			expect((await upload({ items: [{ json }] })).error?.message).toMatch(/it has no files/);
	});
});

test.each([
	[{ json: {} }, {}, /'Input Data Field Name' is "data".*no files: many nodes pass none on/],
	[
		itemWith(inItem(content), 'report'),
		{ inputDataFieldName: 'photo' },
		/'Input Data Field Name' is "photo".*its files are: report/,
	],
	[
		itemWith(inItem(content)),
		{ inputDataFieldName: "={{ ['a', 'b'] }}" },
		/must be the name of one binary field: for several files, put a Split Out node with \$binary \(or _files\) before this node/,
	],
	[itemWith(inItem(content)), { options: { partName: '' } }, /^'Multipart Part Name' is empty/],
])('an item without its file fails before anything is sent', async (item, parameters, message) => {
	const { error } = await upload({ items: [itemWith(inItem(content)), item], parameters });
	expect(error?.message).toMatch(message);
	expect(sandbox.exchanges).toEqual([]);
});

test('an expression may give the file', async () => {
	const { json, error } = await upload({
		items: [itemWith(inItem(content, 'x.pdf'), 'other')],
		parameters: { inputDataFieldName: '={{ $("Start").item.binary.other }}' },
	});
	expect(error).toBeUndefined();
	expect(storedFile(json[0]!.fileGUID).equals(content)).toBe(true);
});

describe('a file too big for the buffers on its way', () => {
	const time = useVirtualTime({ skipsPauses: true });
	const size = 32 * 1024 * 1024;
	let big: IBinaryData;
	beforeAll(async () => (big = await inStore(Buffer.alloc(size), 'big.bin')));

	/** Streams of the file that the node got from n8n. */
	let opened: ReadStream[] = [];
	let service: FakeService;
	beforeEach(() => {
		// A file that is only opened after the response belongs to the test that sent it.
		const ofThisTest: ReadStream[] = (opened = []);
		const files = Container.get(core.BinaryDataService);
		const open = files.getAsStream.bind(files);
		jest.spyOn(files, 'getAsStream').mockImplementation(async (...which) => {
			const stream = await open(...which);
			ofThisTest.push(stream as ReadStream);
			return stream;
		});
	});
	afterEach(() => void jest.restoreAllMocks());

	const uploadBig = (options: object = {}, binary = big) =>
		upload({
			items: [itemWith(binary)],
			credentials: credentialsFor(service.url),
			parameters: { options: { ...options } },
		});

	async function expectClosed(count: number) {
		expect(opened.map(({ destroyed }) => destroyed)).toEqual(Array(count).fill(true));
		await Promise.all(opened.map(async (stream) => stream.closed || (await once(stream, 'close'))));
	}

	/** Responds when a part of the file has arrived, and stops reading. */
	const respondEarly = (responses: number[], body: string) =>
		startHastyService((request, response) => {
			let received = 0;
			request.on('data', (piece: Buffer) => {
				received += piece.length;
				if (received < size / 32) return;
				request.pause();
				const headers = { 'content-length': body.length, 'retry-after': '0' };
				// A complete response; end() would make Node.js read and discard the rest.
				response.writeHead(responses.shift()!, headers).write(body);
			});
		});

	const cases = [[[413]], [[401, 413]], [[429, 413]]];
	test.each(cases)('is closed if the service returns %j before reading it', async (responses) => {
		const { length } = responses;
		service = await respondEarly(responses, '{}');
		const { error } = await uploadBig();
		expect(error?.message).toMatch(/status 413/);
		expect(responses).toEqual([]);
		for (const { bytesRead } of opened) expect(bytesRead).toBeLessThan(size);
		await expectClosed(length);
	});

	test('is in doubt if the service reports it created before receiving all of it', async () => {
		service = await respondEarly([201], '{"fileGUID": "1"}');
		const { error } = await uploadBig();
		expect(error?.message).toMatch(
			/^May already .*\(The file was not sent completely: the service/,
		);
		await expectClosed(1);
	});

	test.each([4_000_000, 40_000_000])('is in doubt if 201 comes early: %d bytes', async (bytes) => {
		const body = '{"fileGUID": "1"}';
		service = await startHastyService((_request, response) => {
			response.writeHead(201, { 'content-length': body.length, connection: 'close' }).write(body);
			response.socket!.end();
		});
		const file = Buffer.alloc(bytes);
		const inDoubt = expect.stringMatching(/^May already/) as string;
		for (const binary of [inItem(file, 'a.bin'), await inStore(file, 'a.bin')]) {
			const { error } = await uploadBig({}, binary);
			expect([binary.id, error?.message]).toEqual([binary.id, inDoubt]);
		}
	});

	test.each([true, false])("may exceed 'Timeout' while it moves (stored: %j)", async (isStored) => {
		let received = 0;
		service = await startHastyService((request, response) => {
			// With each piece that arrives, time passes; the whole file takes five seconds.
			request.on('data', (piece: Buffer) => {
				received += piece.length;
				time.pass((5000 * piece.length) / size);
			});
			request.on('end', () => response.writeHead(201).end('{"fileGUID": "1"}'));
		});
		const binary = isStored ? big : inItem(Buffer.alloc(size), 'big.bin');
		const { json, error } = await uploadBig({ timeout: 1 }, binary);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ fileGUID: '1' }]);
		expect(received).toBeGreaterThan(size);
		await expectClosed(isStored ? 1 : 0);
	});

	test("fails after 'Timeout' if it stalls", async () => {
		/** Waits until some of the file has been sent, and the buffers on its way are full. */
		const standsStill = async () => {
			for (let before = 0; before === 0 || before !== opened[0]!.bytesRead; await comeToRest())
				before = opened[0]?.bytesRead ?? 0;
		};
		service = await startHastyService(() => void standsStill().then(() => time.pass(2000)));
		const { error } = await uploadBig({ timeout: 1 });
		expect(error?.message).toMatch(
			/^May already .*\(No response .*: no response came within 1 second \('Timeout/,
		);
		expect(opened[0]!.bytesRead).toBeGreaterThan(0);
		expect(opened[0]!.bytesRead).toBeLessThan(size);
		await expectClosed(1);
	});
});
