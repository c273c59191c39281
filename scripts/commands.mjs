// The commands of package.json, and what each runs: `npm run <command>` is `node scripts/run.mjs <command>`.

/**
 * @typedef {object} Command
 * @property {string[][]} steps arguments for Node.js, one program after the other
 * @property {string[][]} [beside] programs that run at the same time as the last step
 * @property {string[]} [files] what the last step works on, unless the command was given files
 * @property {Record<string, string>} [env]
 */

const modules = 'node_modules';
const cache = `${modules}/.cache`;
const jest = `${modules}/jest/bin/jest.js`;
const eslint = [`${modules}/eslint/bin/eslint.js`, '.'];
const prettier = [`${modules}/prettier/bin/prettier.cjs`, '.', '--log-level=warn'];

export const build = [`${modules}/gulp/bin/gulp.js`, '-L'];

const types = [
	`${modules}/typescript/bin/tsc`,
	'--incremental',
	'--tsBuildInfoFile',
	`${cache}/types.tsbuildinfo`,
];
const code = [...eslint, '--max-warnings=0'];
const quickLint = [types, ['scripts/lintChanged.mjs']];
const otherLint = [
	types,
	[...prettier, '--check', '--cache', '--cache-strategy=content'],
	['scripts/workflows.mjs'],
];

/** Of a program that uses dist/. */
const built = (...program) => ({ steps: [build, program] });
const everyday = '--testPathIgnorePatterns=.full.test.ts';
const oneByOne = ['--test', '--test-concurrency=1'];

/**
 * By their names; `bench faults` is `npm run bench -- faults`.
 * @type {Readonly<Record<string, Command>>}
 */
export const commands = {
	start: built('scripts/demo.mts'),
	editor: built('scripts/editor.mts'),
	sandbox: { steps: [['sandbox/main.mts']] },

	test: { ...built(jest), beside: quickLint, files: [everyday] },
	'test:quick': {
		...built(jest, '--maxWorkers=4'),
		beside: quickLint,
		files: [everyday, '--', 'test/unit', 'test/engine', 'test/contract'],
	},
	'test:full': { ...built(jest), beside: [...otherLint, code] },
	'test:e2e': { ...built(...oneByOne), files: ['test/e2e/*.e2e.mts'] },
	'test:queue': { ...built(...oneByOne), files: ['test/queue/*.queue.mts'] },
	'test:versions': built('--test', 'test/versions/versions.mts'),
	'test:worlds': { ...built(jest, 'test/simulation/worlds.full'), env: { SEED: 'fresh' } },
	mutants: { steps: [['scripts/mutants/main.mts']] },

	build: { steps: [build] },
	lint: { steps: [code], beside: otherLint },
	'lint n8n': { steps: [['scripts/n8nLint.mts']] },
	format: {
		steps: [
			[...prettier, '--write'],
			[...eslint, '--fix'],
		],
	},
	docs: built('scripts/docs.mts'),
	pictures: built('scripts/pictures.mts'),
	'release:fixture': built('scripts/release/fixture.mts'),

	bench: built('bench/main.mts'),
	'bench faults': built('bench/faults/main.mts'),
	'bench full': built('bench/full/main.mts'),
	'bench keys': built('bench/keys/main.mts'),
	'bench queue': built('bench/queue/main.mts'),
};

/** The commands that an npm script has, by their names. */
export const commandsOf = (script) =>
	Object.keys(commands).filter((name) => name.split(' ')[0] === script);

/**
 * @param {string} script of package.json
 * @param {string[]} given its arguments
 * @returns {Command | undefined} with all arguments; undefined when there is no such command
 */
export function commandOf(script, given) {
	const isOneOfMany = commandsOf(script).length > 1 && /^\w/.test(given[0] ?? '');
	const command = commands[isOneOfMany ? `${script} ${given[0]}` : script];
	if (!command) return undefined;
	const args = isOneOfMany ? given.slice(1) : given;
	const { steps, files = [] } = command;
	const namesFiles = args.some((arg) => !arg.startsWith('-'));
	const last = [...steps.at(-1), ...args, ...(namesFiles ? [] : files)];
	return { ...command, steps: [...steps.slice(0, -1), last] };
}
