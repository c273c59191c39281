// GitHub's workflows have minimal permissions and run existing scripts. Lint checks their syntax (actionlint).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const root = join(__dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	needs?: string | string[];
	'timeout-minutes'?: number;
	/** A called workflow, instead of steps. */
	uses?: string;
	steps?: Step[];
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

test.each(files)('%s pins actions to commits, with the version in a comment', (file) => {
	const uses = [...read(file).matchAll(/uses: (.*)/g)].map(([, text]) => text!);
	expect(uses.length).toBeGreaterThan(0);
	const foreign = uses.filter((text) => !text.startsWith('./'));
	for (const text of foreign)
		expect(text).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(files)('%s grants no permission to all of its jobs', (file) => {
	expect(workflowIn(file).permissions).toEqual({});
});

test.each(jobs)('%s, %s: reads, and writes only what its task requires', (file, name, job) => {
	const writing = Object.entries(job.permissions!).filter(([, right]) => right !== 'read');
	const allowed: Record<string, unknown> = {
		'release.yml publish': [['id-token', 'write']],
		'release.yml page': [['contents', 'write']],
	};
	expect(writing).toEqual(allowed[`${file} ${name}`] ?? []);
	if (job.uses) expect(files.map((name) => `./.github/workflows/${name}`)).toContain(job.uses);
	else expect(job['timeout-minutes']).toBeGreaterThan(0);
	for (const step of job.steps ?? []) {
		if (step.uses?.startsWith('actions/checkout@'))
			expect(step.with).toMatchObject({ 'persist-credentials': false });
	}
});

describe('a release', () => {
	const { check, publish, page, pack, ...gates } = workflowIn('release.yml').jobs;
	const runsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);
	const calls = (file: string) => Object.values(workflowIn(file).jobs).flatMap(runsOf);

	test('checks the tag and its commit first, and waits for all tests', () => {
		expect(check!.needs).toBeUndefined();
		expect(runsOf(check!)).toEqual(['node scripts/release/check.mjs']);
		// Only a clone with main can tell whether a commit is on it.
		expect(check!.steps![0]!.with).toMatchObject({ 'fetch-depth': 0 });
		for (const job of [pack!, ...Object.values(gates)]) expect(job.needs).toBe('check');
		expect(publish!.needs).toEqual([...Object.keys(gates), 'pack']);
		expect(page!.needs).toBe('publish');
		const gatesRun = Object.values(gates).flatMap((job) =>
			job.uses ? calls(job.uses.split('/').at(-1)!) : runsOf(job),
		);
		expect(gatesRun).toEqual(
			expect.arrayContaining([
				'npm run test:full',
				'npm run lint:n8n',
				'npm run test:e2e',
				'npm run test:queue',
				'npm run test:versions',
			]),
		);
	});

	test('a job with write permission runs nothing from the repository', () => {
		for (const { steps = [] } of [publish!, page!])
			expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([]);
		expect(read('release.yml')).not.toMatch(/secrets\.|TOKEN: (?!\$\{\{ github\.token \}\})/);
	});
});
