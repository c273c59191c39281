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
	'engine/send/{retryPolicy,congestionWindow,pauses}.ts':
		'{unit/send/{retryPolicy,congestionWindow,pauses},engine/send/tries}',
};

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
const changed = () =>
	git('diff', '--name-only', git('merge-base', 'main', 'HEAD').trim()) +
	git('ls-files', '--others', '--exclude-standard');
const given = process.argv.slice(2).map((path) => path.replace(/\/$/, ''));
const wanted = given.length > 0 ? given : changed().split('\n');
const rooms = Object.entries(pure).map(([room, tests]) => ({
	tests,
	files: globSync(room, { cwd: root }).filter((file) =>
		wanted.some((path) => file === path || file.startsWith(`${path}/`)),
	),
}));
const meant = rooms.filter(({ files }) => files.length > 0);

if (meant.length === 0) {
	console.log(`No file of these is changed or named: ${Object.keys(pure).join(', ')}`);
} else {
	const stryker = '@stryker-mutator';
	const dependencies = { [`${stryker}/core`]: '10.0.0', [`${stryker}/jest-runner`]: '10.0.0' };
	const manifest = JSON.stringify({ private: true, dependencies });
	const packages = { '.npmrc': readRuntimeFile('.npmrc'), 'package.json': manifest };
	const folder = await installPackages('stryker', packages, 'install', {});
	const mainOf = (name: string) => join(folder, 'node_modules', stryker, name, 'dist/src/index.js');
	process.env.STRYKER_JEST_RUNNER = mainOf('jest-runner');
	const { Stryker } = (await import(mainOf('core'))) as {
		Stryker: new (options: object) => { runMutationTest(): Promise<unknown> };
	};
	await new Stryker({
		mutate: meant.flatMap(({ files }) => files),
		testRunner: 'jestByFile',
		plugins: [join(import.meta.dirname, 'runner.mjs')],
		coverageAnalysis: 'perTest',
		concurrency: 1,
		jest: {
			enableFindRelatedTests: false,
			config: {
				// The runner does not know jest's <rootDir>.
				testEnvironment: './scripts/mutants/environment.cjs',
				testMatch: meant.map(({ tests }) => `<rootDir>/test/${tests}*.test.ts`),
				testTimeout: 10_000,
			},
		},
		// It is to be left as it is.
		tsconfigFile: 'none',
		tempDirName: join(tmpdir(), 'n8n-nodes-agency-records-mutants'),
		cleanTempDir: 'always',
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { reportTests: false, logTests: false },
	}).runMutationTest();
}
