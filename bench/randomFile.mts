// Files to upload.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** @returns path of a file of that size (in 10^6 bytes), made when it is first asked for */
export function randomFile(folder: string, megabytes: number): string {
	const path = join(folder, `${megabytes}.bin`);
	if (existsSync(path)) return path;
	const file = openSync(path, 'w');
	for (let n = 0; n < megabytes; n++) writeSync(file, randomBytes(1_000_000));
	closeSync(file);
	return path;
}
