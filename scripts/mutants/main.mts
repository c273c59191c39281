// `npm run mutants`: StrykerJS breaks the pure rooms of the engine on purpose, one place after the other, and shows which
// breaks no test noticed, then the score by room. It breaks the files that this branch changed, or what it is given.
// Its packages are of use only here, so they are installed beside the full n8n.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackages, readRuntimeFile } from '../../n8n-full/install.mts';

/** What computes, and asks nobody, so that quick tests can see all that it does: by its path, these tests. */
const pure = {
	'engine/values/*.ts': 'unit/values/',
	'engine/answer/*.ts': 'engine/answer/',
	'engine/http/*.ts': '{unit/http/,engine/send/gateway}',
	'engine/request/*.ts': '{unit/request/,engine/kinds/upload}',
	'engine/send/{retryPolicy,congestionWindow,usualDelays,pauses}.ts':
		'{unit/send/{retryPolicy,congestionWindow,pauses},engine/send/tries}',
};
const version = '10.0.0';

const root = join(import.meta.dirname, '../..');
const given = process.argv.slice(2).map((path) => path.replace(/\/$/, ''));
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
const changed = () =>
	git('diff', '--name-only', git('merge-base', 'main', 'HEAD').trim()) +
	git('ls-files', '--others', '--exclude-standard');
const wanted = given.length > 0 ? given : changed().split('\n');
const wantedOf = (room: string) =>
	globSync(room, { cwd: root }).filter((file) =>
		wanted.some((path) => file === path || file.startsWith(`${path}/`)),
	);
const mutate = Object.keys(pure).flatMap(wantedOf);

if (mutate.length === 0) {
	console.log(`No file of these is changed or named: ${Object.keys(pure).join(', ')}`);
} else {
	const names = ['@stryker-mutator/core', '@stryker-mutator/jest-runner'];
	const dependencies = Object.fromEntries(names.map((name) => [name, version]));
	const manifest = JSON.stringify({ private: true, dependencies });
	const files = { '.npmrc': readRuntimeFile('.npmrc'), 'package.json': manifest };
	const folder = await installPackages('stryker', files, 'install', {});
	const [core, jestRunner] = names.map((name) =>
		join(folder, 'node_modules', name, 'dist', 'src', 'index.js'),
	) as [string, string];
	const tests = Object.entries(pure).filter(([room]) => wantedOf(room).length > 0);
	process.env.STRYKER_JEST_RUNNER = jestRunner;
	const { Stryker } = (await import(core)) as {
		Stryker: new (options: object) => { runMutationTest(): Promise<unknown> };
	};
	await new Stryker({
		mutate,
		testRunner: 'jestFilesThatSee',
		plugins: [join(import.meta.dirname, 'runner.mjs')],
		coverageAnalysis: 'perTest',
		concurrency: 1,
		jest: {
			config: {
				// The runner does not know jest's <rootDir>.
				testEnvironment: './scripts/mutants/environment.cjs',
				testMatch: tests.map(([, begin]) => `<rootDir>/test/${begin}*.test.ts`),
				testTimeout: 10_000,
				testPathIgnorePatterns: ['.full.test.ts'],
			},
			enableFindRelatedTests: false,
		},
		// It is to be left as it is.
		tsconfigFile: 'none',
		ignorePatterns: ['/bench', '/dist', '/docs', '/examples', '/icons'],
		tempDirName: join(tmpdir(), 'n8n-nodes-agency-records-mutants'),
		cleanTempDir: 'always',
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { reportTests: false, logTests: false, allowEmojis: false },
	}).runMutationTest();
}
