// Keeps the results of `npm run test:proxies`. `node test/proxies/writeTable.mts` then makes the table in
// docs/reliability.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { table } from '../../scripts/docs/markdown.mts';
import { writeParts } from '../../scripts/docs/pages.mts';
import { faults } from './faults.mts';
import { otherParts, reverseProxies } from './proxies.mts';

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
	const titles = faults
		.map(({ title }) => title)
		.filter((title) => results.some(({ fault, inVain }) => fault === title && inVain > 0));
	const cell = (title: string, proxy: string): string => {
		const seen = results.filter((one) => one.fault === title && one.proxy === proxy);
		if (seen.length === 0) return '';
		const { only = operations } = faults.find((fault) => fault.title === title)!;
		const counts = operations.map((name) => {
			const found = seen.find(({ operation }) => operation === name);
			if (!found && only.includes(name))
				throw new Error(`${name} were not tried: ${title}, ${proxy}`);
			return found ? found.inVain : '–';
		});
		return counts.join(' / ');
	};
	const others = (title: string): string =>
		otherParts
			.map((part) => [part, cell(title, part)])
			.filter(([, counts]) => counts)
			.map((named) => named.join(': '))
			.join('; ');
	return table(
		['', ...reverseProxies, 'Other parts'],
		titles.map((title) => [
			title,
			...[...reverseProxies.map((proxy) => cell(title, proxy)), others(title)].map(
				(counts) => counts || '–',
			),
		]),
	);
}

if (import.meta.main) {
	const results = JSON.parse(readFileSync(file, 'utf8')) as ProxyResult[];
	await writeParts({ proxies: doubtsTable(results) }, 'node test/proxies/writeTable.mts');
}
