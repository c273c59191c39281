// Keeps the results of `npm run test:versions` until writeTable.mts makes the README's table from them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { VersionResult } from './versionsTable.mts';

const file = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'versions.json');

export function saveResults(results: readonly VersionResult[]): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(results));
}

/** @throws Error when the tests of versions have not been run */
export const readResults = (): VersionResult[] =>
	JSON.parse(readFileSync(file, 'utf8')) as VersionResult[];
