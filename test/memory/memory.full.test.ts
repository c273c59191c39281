// Memory is bounded: service and package each in a process of its own, so that only ours is measured.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

import { root, startSandboxProcess, type SandboxProcess } from '../harness/sandboxProcess';

const megabytes = 1024;

let folder: string;
let sandbox: SandboxProcess | undefined;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'agency-memory-'));
});
afterEach(() => sandbox?.stop());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns what a program of this folder measured */
async function measured(program: string, ...args: string[]): Promise<unknown> {
	const path = join('test', 'memory', program);
	const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', path, ...args], {
		cwd: root,
	});
	return JSON.parse(stdout);
}

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

test(`uploading ${megabytes} MB takes less than 100 MB of memory`, async () => {
	const file = join(folder, 'big.bin');
	const handle = openSync(file, 'w');
	for (let n = 0; n < megabytes; n++) writeSync(handle, Buffer.alloc(1024 * 1024, n));
	const data = join(folder, 'sandbox.sqlite');
	sandbox = await startSandboxProcess('--data', data);
	const result = (await measured('upload.mts', sandbox.url, file)) as {
		megabytes: number;
		seconds: number;
		record: { fileGUID: string; fileSize: number };
	};
	const [peak, duration] = [result.megabytes.toFixed(0), result.seconds.toFixed(1)];
	console.log(`peak memory above idle: ${peak} MB; the upload took ${duration} s`);
	expect(result.megabytes).toBeLessThan(100);
	expect(result.record.fileSize).toBe(megabytes * 1024 * 1024);
	const arrived = `${data}.files`;
	expect(readdirSync(arrived)).toContain(result.record.fileGUID);
	expect(await sha256(join(arrived, result.record.fileGUID))).toBe(await sha256(file));
}, 300_000);

test('thousands of requests, while tokens expire, leave nothing behind', async () => {
	sandbox = await startSandboxProcess('--token-lifetime', '1');
	const { bytes, requests } = (await measured('runs.mts', sandbox.url)) as Record<string, number>;
	console.log(`after ${requests} requests the heap has grown by ${bytes} bytes`);
	expect(bytes).toBeLessThan(2_000_000);
}, 300_000);
