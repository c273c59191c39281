// Keeps the results of `npm run test:proxies`. `node test/proxies/writeTable.mts` then makes the table in
// docs/reliability.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { table } from '../../scripts/docs/markdown.mts';
import { writeParts } from '../../scripts/docs/pages.mts';
import { faults } from './faults.mts';

/** The result of an operation with a fault in or behind a proxy. */
export interface ProxyResult {
	proxy: string;
	fault: string;
	operation: string;
	/** Rows reported as in doubt, but never processed. */
	inVain: number;
}

const file = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'proxies.json');

export function saveResults(results: readonly ProxyResult[]): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(results));
}

/** Reads change nothing, so none of them is in doubt. */
const operations = {
	creates: '80 creates',
	'bulk patches': '80 patches in 20 requests',
	uploads: '6 uploads',
	DELETE: '80 DELETE requests',
};

/**
 * The maximum number of rows that a fault left in doubt needlessly, behind any proxy. Faults without such rows are left
 * out. @throws Error if an operation was not tried, as in the short form of the test
 */
function doubtsTable(results: readonly ProxyResult[]): string {
	const rows = faults.flatMap(({ title, only = Object.keys(operations) }) => {
		const seen = results.filter(({ fault }) => fault === title);
		const proxies = new Set(seen.map(({ proxy }) => proxy)).size;
		const counts = Object.keys(operations).map((name) => {
			const found = seen.filter(({ operation }) => operation === name);
			if (found.length < proxies && only.includes(name))
				throw new Error(`${name} were not tried: ${title}`);
			return found.length > 0 ? Math.max(...found.map(({ inVain }) => inVain)) : undefined;
		});
		return counts.some(Boolean) ? [[title, ...counts.map((count) => `${count ?? '–'}`)]] : [];
	});
	return table(['In doubt, at most', ...Object.values(operations)], rows);
}

if (import.meta.main) {
	const results = JSON.parse(readFileSync(file, 'utf8')) as ProxyResult[];
	await writeParts({ proxies: doubtsTable(results) }, 'node test/proxies/writeTable.mts');
}
