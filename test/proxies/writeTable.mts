import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ProxyResult {
	proxy: string;
	fault: string;
	operation: string;
	rows: number;
	/** Rows that are reported as in doubt, although they never arrived. */
	inVain: number;
}

const file = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'proxies.json');

export function saveResults(results: readonly ProxyResult[]): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(results));
}
