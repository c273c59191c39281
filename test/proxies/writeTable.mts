// Keeps the results of `npm run test:proxies`. `node test/proxies/writeTable.mts` then makes the table in
// docs/reliability.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { table } from '../../scripts/docs/markdown.mts';
import { writeParts } from '../../scripts/docs/pages.mts';

/** What was seen of an operation behind a proxy in which, or behind which, something went wrong. */
export interface ProxyResult {
	proxy: string;
	fault: string;
	operation: string;
	/** Rows that were reported as in doubt, but never processed. */
	inVain: number;
}

const file = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'proxies.json');

export function saveResults(results: readonly ProxyResult[]): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(results));
}

/** Reads change nothing, so none of them is in doubt. */
const operations = ['creates', 'bulk patches', 'uploads', 'DELETE'];

/**
 * Faults after which no row was in doubt in vain, behind any proxy, are left out.
 * @throws Error when an operation was not tried, as in the short form of the test
 */
function doubtsTable(results: readonly ProxyResult[]): string {
	const distinct = (of: (result: ProxyResult) => string) => [...new Set(results.map(of))];
	const proxies = distinct(({ proxy }) => proxy);
	const cell = (fault: string, proxy: string): string => {
		const seen = results.filter((one) => one.fault === fault && one.proxy === proxy);
		if (seen.length === 0) return '–';
		const counts = operations.map((name) => {
			const found = seen.find(({ operation }) => operation === name);
			if (!found) throw new Error(`${name} were not tried: ${fault}, ${proxy}`);
			return found.inVain;
		});
		return counts.join(' / ');
	};
	const faults = distinct(({ fault }) => fault).filter((fault) =>
		results.some((one) => one.fault === fault && one.inVain > 0),
	);
	return table(
		['', ...proxies],
		faults.map((fault) => [fault, ...proxies.map((proxy) => cell(fault, proxy))]),
	);
}

if (import.meta.main) {
	const results = JSON.parse(readFileSync(file, 'utf8')) as ProxyResult[];
	await writeParts({ proxies: doubtsTable(results) }, 'node test/proxies/writeTable.mts');
}
