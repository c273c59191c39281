// CONTRIBUTING.md, "Adding an operation", followed word for word in a copy of the tree: an invented operation in a new
// area passes types, contract tests and a request through n8n's engine.
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const minutes = 60_000;

let copy: string;
const read = (path: string) => readFileSync(join(copy, path), 'utf8');
const write = (path: string, text: string) => {
	mkdirSync(dirname(join(copy, path)), { recursive: true });
	writeFileSync(join(copy, path), text);
};
const modules = 'node_modules';
/** Runs a program of Node.js in the copy. */
function run(...program: string[]): { status: number | null; output: string } {
	const { status, stdout, stderr } = spawnSync(process.execPath, program, {
		cwd: copy,
		encoding: 'utf8',
	});
	return { status, output: `${stdout}${stderr}` };
}
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
const runTests = (...args: string[]) =>
	run(`${modules}/jest/bin/jest.js`, '--maxWorkers=1', ...args);

/** What another area has, under the names of the new one. */
const renamed = (text: string) =>
	[
		['agencyusersxor/users', 'agencytrainings/courses'],
		['losappoints', 'sessions'],
		['losapPoint', 'trainingSession'],
		['createLosapPoint', 'createTrainingSession'],
		['LOSAP points', 'Training sessions'],
		['LOSAP Point', 'Training Session'],
		['LOSAP point', 'training session'],
		['Create a user', 'Create a'],
		['userID', 'courseID'],
		["'user'", "'course'"],
		['user:', 'course:'],
		['Users', 'Trainings'],
		['users', 'trainings'],
	].reduce((known, [from, to]) => known.replaceAll(from!, to!), text);
const renamedFile = (path: string) => renamed(read(path));

const node = () =>
	renamedFile('nodes/AgencyUsers/AgencyUsers.node.ts').replace(
		/description: '.*'/,
		"description: 'Put sessions on the calendar of a course'",
	);

const record = { categoryID: 2, actualPoints: 5, startDate: '2026-03-02T19:00:00Z' };

const icon = (color: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none" stroke="${color}" stroke-width="4"><path d="M8 20h48v32H8z"/></svg>\n`;

/** Its operation in the description of the service. */
const described = () =>
	renamed(/^ {2}\/agencyusersxor\/[^]*?(?=^ {2}\/|^\w)/m.exec(read('sandbox/openapi.yaml'))![0]);

/** Its records and its handler in the sandbox. */
const areaOfUsers = () => renamed(/^\tUsers: [^]*?^\t\},\n/m.exec(read('sandbox/areas.mts'))![0]);

/** An edit of a file that is there: text is put before the first place where another text stands. */
function insert(path: string, text: () => string, before: string): [string, () => string] {
	const edit = () => {
		const [head, ...rest] = read(path).split(before);
		if (rest.length === 0) throw new Error(`${path} does not hold ${before}`);
		return [head, text(), before, rest.join(before)].join('');
	};
	return [path, edit];
}

/** The example with a node for every operation, with one more. */
function exampleWorkflow(): string {
	const path = 'examples/every-operation.json';
	const workflow = JSON.parse(read(path)) as {
		nodes: Array<Record<string, unknown>>;
		connections: Record<string, { main: object[][] }>;
	};
	const name = 'Create Training Session';
	const like = workflow.nodes.find(({ type }) => String(type).endsWith('agencyUsers'));
	workflow.nodes.push({
		...like,
		parameters: {
			resource: 'trainingSession',
			operation: 'create',
			courseID: 101,
			fields: record,
			options: {},
		},
		id: 'd39a2b5e-6f5c-5a2b-9c39-0c1b6f0f5a11',
		name,
		type: 'n8n-nodes-agency-records.agencyTrainings',
		position: [1280, 512],
	});
	workflow.connections['One Row']!.main[0]!.push({ node: name, type: 'main', index: 0 });
	return JSON.stringify(workflow, null, '\t');
}

/** What the recipe has somebody write, by path. */
const written: Record<string, () => string> = {
	'nodes/AgencyTrainings/trainings.area.ts': () => renamedFile('nodes/AgencyUsers/users.area.ts'),
	'nodes/AgencyTrainings/AgencyTrainings.node.ts': node,
	'nodes/AgencyTrainings/AgencyTrainings.node.json': () =>
		// The words of another node would find this one in its place.
		renamedFile('nodes/AgencyUsers/AgencyUsers.node.json').replace(
			/"alias": \[[^\]]*\]/,
			'"alias": ["training", "drill", "course"]',
		),
	'nodes/AgencyTrainings/trainings.example.json': () =>
		renamedFile('nodes/AgencyUsers/users.example.json'),
	'icons/trainings.svg': () => icon('#B3261E'),
	'icons/trainings.dark.svg': () => icon('#FF8A75'),
	...Object.fromEntries([
		insert(
			'package.json',
			() => '"dist/nodes/AgencyTrainings/AgencyTrainings.node.js",\n\t\t\t',
			'"dist/nodes/AgencyUsers/',
		),
		insert('sandbox/openapi.yaml', described, 'components:\n'),
		insert('sandbox/areas.mts', areaOfUsers, '\tUsers: {\n'),
	]),
	'examples/every-operation.json': exampleWorkflow,
};

beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'agency-recipe-'));
	const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
	for (const path of files.split('\0').filter((name) => name && existsSync(join(root, name)))) {
		cpSync(join(root, path), join(copy, path));
	}
	symlinkSync(join(root, modules), join(copy, modules));
	for (const [path, text] of Object.entries(written)) write(path, text());
	run(`${modules}/prettier/bin/prettier.cjs`, '--write', ...Object.keys(written));
}, 2 * minutes);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the recipe names every path that is written, and no other', () => {
	const [, section = ''] = /^## Adding an operation\n([^]*?)^## /m.exec(read('CONTRIBUTING.md'))!;
	const named = [...section.matchAll(/^\| `([\w./-]+)`/gm)].map(([, path]) =>
		path!.replaceAll('AgencyX', 'AgencyTrainings').replace(/\bx\./, 'trainings.'),
	);
	expect(named.sort()).toEqual(Object.keys(written).sort());
});

test(
	'its types are right',
	() => {
		expect(run(`${modules}/typescript/bin/tsc`, '--noEmit')).toEqual({ status: 0, output: '' });
	},
	5 * minutes,
);

test(
	'without its page the contract tests say what to do; with it they pass, and its request succeeds',
	() => {
		const build = run(`${modules}/gulp/bin/gulp.js`, '--silent');
		expect(build).toMatchObject({ status: 0 });
		const early = runTests('test/contract/docs.test.ts');
		expect(early.status).toBe(1);
		expect(early.output).toContain(
			'docs/nodes/agency-trainings.md is out of date: run npm run docs',
		);

		const docs = run('scripts/docs.mts');
		expect(docs.status).toBe(0);
		expect(docs.output).toMatch(/no picture \S+AgencyTrainings\.png: npm run pictures takes it/);

		const { status, output } = runTests(
			'--testPathIgnorePatterns=.full.test.ts',
			'--',
			'test/contract',
			'test/engine/examples.test.ts',
		);
		expect([status, output]).toEqual([0, expect.stringContaining('PASS test/engine/examples')]);
	},
	5 * minutes,
);
