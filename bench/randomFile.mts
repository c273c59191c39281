// Files of random bytes for the upload benches.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the path of a file of that size (in 10^6 bytes); the file is written the first time it is asked for */
export function randomFile(folder: string, megabytes: number): string {
	const path = join(folder, `${megabytes}.bin`);
	if (existsSync(path)) return path;
	const file = openSync(path, 'w');
	for (let n = 0; n < megabytes; n++) writeSync(file, randomBytes(1_000_000));
	closeSync(file);
	return path;
}
