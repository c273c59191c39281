// `node bench/stale.mts` lists the benches whose figures are older than the code that they depend on.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { benchDependencies, type BenchDependencies } from '../../bench/dependencies.mts';
import { staleBenches } from '../../bench/stale.mts';

const root = join(__dirname, '..', '..');

let repository: string;
beforeEach(() => {
	repository = mkdtempSync(join(tmpdir(), 'agency-stale-'));
	git('init', '--quiet');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

function git(...args: string[]): void {
	const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@agency.example'];
	execFileSync('git', [...identity, ...args], { cwd: repository });
}

function commit(file: string, text: string): void {
	writeFileSync(join(repository, file), text);
	git('add', file);
	git('commit', '--quiet', '--message', `Changes ${file}`);
}

const page = (figure: number, text = 'Text') =>
	`# Page\n\n<!-- begin -->\n\n${figure}\n\n<!-- end -->\n\n${text}\n`;

const benches: BenchDependencies[] = [
	{ bench: 'picture', figures: { file: 'chart.svg' }, code: ['engine.ts'] },
	{ bench: 'part', figures: { lines: '/begin/,/end/:page.md' }, code: ['engine.ts'] },
];
const names = () => staleBenches(benches, repository).map(({ bench }) => bench);

test('a bench is stale after a commit to its code, until its figures are made again', () => {
	commit('engine.ts', 'first');
	commit('chart.svg', 'first');
	commit('page.md', page(1));
	commit('other.ts', 'other');
	expect(names()).toEqual([]);

	commit('engine.ts', 'second');
	commit('page.md', page(1, 'Other text beside the figures'));
	const stale = staleBenches(benches, repository);
	expect(stale.map(({ bench }) => bench)).toEqual(['picture', 'part']);
	expect(stale[0]!.commits).toEqual([expect.stringMatching(/^\w+ Changes engine\.ts$/)]);

	commit('page.md', page(2));
	expect(names()).toEqual(['picture']);
	commit('chart.svg', 'second');
	expect(names()).toEqual([]);
});

test('figures that are not in the history are an error', () => {
	commit('engine.ts', 'first');
	expect(() => staleBenches([benches[0]!], repository)).toThrow('picture has no figures');
});

test.each(benchDependencies)('$bench names files and folders that exist', ({ figures, code }) => {
	const file = 'file' in figures ? figures.file : figures.lines.split(':').at(-1)!;
	expect([file, ...code].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
