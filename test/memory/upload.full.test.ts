// A big file is streamed: service and uploader each in a process of its own, so that only ours is measured.
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
afterAll(async () => {
	await sandbox?.stop();
	rmSync(folder, { recursive: true, force: true });
});

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
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--expose-gc', 'test/memory/upload.mts', sandbox.url, file],
		{ cwd: root },
	);
	const result = JSON.parse(stdout) as {
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
