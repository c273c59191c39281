// What runs on GitHub may do as little as it can, and runs what there is. Its syntax is lint's (actionlint).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

const root = join(__dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	environment?: string;
	needs?: string;
	'timeout-minutes'?: number;
	steps: Step[];
}

interface Workflow {
	permissions?: object;
	jobs: Record<string, Job>;
}

const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const workflowIn = (file: string) => parse(read(file)) as Workflow;
const jobs = files.flatMap((file) =>
	Object.entries(workflowIn(file).jobs).map(([name, job]) => [file, name, job] as const),
);

test.each(files)('%s uses actions by their commit, and names the version beside it', (file) => {
	const uses = [...read(file).matchAll(/uses: (.*)/g)].map(([, text]) => text);
	expect(uses.length).toBeGreaterThan(0);
	for (const text of uses) expect(text).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('an action has one version in all files', () => {
	const versions = files.flatMap((file) =>
		[...read(file).matchAll(/uses: (.*)/g)].map(([, text]) => text!),
	);
	const actions = versions.map((text) => text.split('@')[0]);
	expect(new Set(versions).size).toBe(new Set(actions).size);
});

test.each(files)('%s gives no right to all of its jobs', (file) => {
	expect(workflowIn(file).permissions).toEqual({});
});

test.each(jobs)('%s, %s: reads, and writes only what it is there for', (file, name, job) => {
	const writing = Object.entries(job.permissions!).filter(([, right]) => right !== 'read');
	const allowed: Record<string, unknown> = {
		'release.yml publish': [['id-token', 'write']],
		'release.yml page': [['contents', 'write']],
	};
	expect(writing).toEqual(allowed[`${file} ${name}`] ?? []);
	expect(job['timeout-minutes']).toBeGreaterThan(0);
	for (const step of job.steps) {
		if (step.uses?.startsWith('actions/checkout@')) {
			expect(step.with).toEqual({ 'persist-credentials': false });
		}
	}
});

test('a job that may publish runs nothing of the repository, and only after the tests', () => {
	const { publish, page, pack } = workflowIn('release.yml').jobs;
	expect([publish!.needs, page!.needs]).toEqual(['pack', 'publish']);
	expect(pack!.steps.map(({ run }) => run)).toEqual(
		expect.arrayContaining([
			'node scripts/release/check.mjs',
			'npm run test:full',
			'npm run test:e2e',
		]),
	);
	for (const { steps } of [publish!, page!]) {
		expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([]);
	}
	expect(read('release.yml')).not.toMatch(/secrets\.|TOKEN: (?!\$\{\{ github\.token \}\})/);
});

test.each(jobs)('%s, %s: runs scripts that are there', (_file, _name, job) => {
	const commands = job.steps.flatMap(({ run = '' }) => run.split('\n'));
	const named = commands.flatMap((line) => {
		const [, own, run] = /^npm (?:(start|test)|run (\S+))/.exec(line) ?? [];
		return own ?? run ?? [];
	});
	for (const script of named) expect(Object.keys(scripts)).toContain(script);
	const files = commands.flatMap((line) => /^node (\S+)/.exec(line)?.[1] ?? []);
	for (const file of files) expect(readFileSync(join(root, file), 'utf8')).not.toBe('');
});

test('the full n8n is kept where it is installed, by what it is installed from', () => {
	const cache = workflowIn('ci.yml').jobs.e2e!.steps.find(({ uses }) =>
		uses?.startsWith('actions/cache@'),
	)!;
	const home = mkdtempSync(join(tmpdir(), 'home-'));
	const { stdout } = spawnSync(
		process.execPath,
		[
			'--input-type=module',
			'-e',
			"console.log((await import('./runtime/installationPaths.mjs')).cacheFolder())",
		],
		{ cwd: root, encoding: 'utf8', env: { ...process.env, HOME: home, XDG_CACHE_HOME: '' } },
	);
	rmSync(home, { recursive: true });
	expect(stdout.trim()).toBe((cache.with!.path as string).replace('~', home));
	expect(cache.with!.key).toContain("hashFiles('runtime/package-lock.json')");
});

test('lint refuses a workflow that GitHub would refuse', () => {
	const broken = mkdtempSync(join(tmpdir(), 'workflow-'));
	const file = join(broken, 'broken.yml');
	const lint = (text: string) => {
		writeFileSync(file, text);
		const args = [join('scripts', 'workflows.mjs'), file];
		return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	};
	const good = read('ci.yml');
	expect(lint(good).status).toBe(0);
	const { status, stderr } = lint(good.replace('contents: read', 'contents: reed'));
	expect([status, stderr]).toEqual([1, expect.stringContaining('"reed" is invalid')]);
	rmSync(broken, { recursive: true });
});
