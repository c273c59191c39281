// What a page names must be there: labels on a screen, commands that can be run, and messages that the nodes say.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDialectFlag } from '../../sandbox/dialects.mts';
import { readFaultFlag } from '../../sandbox/readFaultPlan.mts';
import { commandOf } from '../commands.mjs';
import { linkProblems, pictureProblems } from './links.mts';
import { root } from './package.mts';
import { codeOf, proseOf, type Page } from './pages.mts';
import type { ScreenTexts } from './screenTexts.mts';

/** Labels on n8n's own screens, as far as the pages speak of them. */
const labelsOfN8n = [
	'Authentication',
	'Community nodes',
	'Continue',
	'Continue (using error output)',
	'Create workflow',
	'Download',
	'Execute step',
	'Execute workflow',
	'Executions',
	'From file',
	'HTTP Request',
	'Highlighted data',
	'I understand the risks of installing unverified code from a public source.',
	'Import',
	'Import from File',
	'Install',
	'On Error',
	'Loop Over Items',
	'Poll Times',
	'Predefined Credential Type',
	'Production URL',
	'Publish',
	'Retry',
	'Retry On Fail',
	'Settings',
	'Stop Workflow',
	'Timezone',
	'Unpin',
	'Workflow Settings',
];

const italics = /(?<![\p{L}\p{N}_\\])_(?!_)([^_\n]+?)_(?![\p{L}\p{N}_])/gu;

/** Labels stand in italics and begin with a capital letter; one inside another is written as _Equipment › Status_. */
const labelProblems = (page: Page, { all }: ScreenTexts): string[] =>
	[...proseOf(page).matchAll(italics)]
		.flatMap(([, text = '']) => text.split(' › '))
		.filter((word) => /^\p{Lu}/u.test(word))
		.filter((word) => !all.has(word) && !labelsOfN8n.includes(word))
		.map((word) => `no form shows "${word}"`);

const source = globSync('{credentials,engine}/**/*.ts', { cwd: root })
	.map((path) => readFileSync(join(root, path), 'utf8'))
	.join('\n');

/** Words in “…” quote what the nodes say: each part between the places that are filled in (…) must be in the code. */
const messageProblems = (page: Page): string[] =>
	[...proseOf(page).matchAll(/“([^”]+)”/g)]
		.filter(([, words = '']) => !words.split('…').every((part) => source.includes(part.trim())))
		.map(([quoted]) => `no node says ${quoted}`);

/** The source of what a command runs in the end; undefined when there is no such command. */
function sourceOf(script: string, args: string): string | undefined {
	const command = commandOf(script, args.split(' ').filter(Boolean));
	const file = command?.steps.at(-1)!.findLast((argument) => /^[\w/.-]+\.m[jt]s$/.test(argument));
	if (file !== undefined) return readFileSync(join(root, file), 'utf8');
	return command && '';
}

/** The flags of the sandbox that have a language of their own, and what reads it. */
const readers = { fault: readFaultFlag, dialect: readDialectFlag };

function valueProblems(flags: string): string[] {
	return [...flags.matchAll(/--(fault|dialect) (\S+)/g)].flatMap(([, name, value]) => {
		try {
			readers[name as keyof typeof readers](value!);
			return [];
		} catch (error) {
			return (error as Error).message;
		}
	});
}

function npmProblems(command: string): string[] {
	const [, script, flags = ''] =
		/^(?:\w+=\S+ )*npm (?:run )?([\w:-]+)(?: -- (.*?))?(?: +#.*)?$/.exec(command) ?? [];
	// npm's own command.
	if (script === undefined || script === 'publish') return [];
	const program = sourceOf(script, flags);
	if (program === undefined) return [`there is no command "${script} ${flags}"`];
	const unknown = [...flags.matchAll(/(?<=^| )--([\w-]+)/g)]
		.map(([, name = '']) => name)
		.filter((name) => !new RegExp(`\\b${name}\\b`).test(program));
	return [...unknown.map((name) => `${script} knows no --${name}`), ...valueProblems(flags)];
}

function fileProblems(command: string): string[] {
	const [, file] = /^(?:\w+=\S+ )*node (\S+\.m[jt]s)/.exec(command) ?? [];
	const [, tests] = /^(?:\w+=\S+ )*npx jest (\S+)/.exec(command) ?? [];
	const isMissing =
		(file !== undefined && !existsSync(join(root, file))) ||
		(tests !== undefined && globSync(`${tests}*`, { cwd: root }).length === 0);
	return isMissing ? [`${file ?? tests} does not exist`] : [];
}

const commandProblems = (page: Page): string[] =>
	codeOf(page).flatMap((command) => [...npmProblems(command), ...fileProblems(command)]);

/**
 * What is wrong with the pages, beside what they are made of, and pictures that were not taken yet.
 * @param pages all there are
 * @returns a line for each problem
 */
export const problemsOf = (pages: readonly Page[], screen: ScreenTexts): string[] => [
	...linkProblems(pages),
	...pictureProblems(pages),
	...pages.flatMap((page) =>
		[...labelProblems(page, screen), ...commandProblems(page), ...messageProblems(page)].map(
			(problem) => `${page.path}: ${problem}`,
		),
	),
];
