// Every command must be one that can be run: its npm script, its files and its flags are there.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readFaultFlag } from '../../../sandbox/readFaultPlan.mts';
import { root } from '../package.mts';
import { codeOf, type Page } from './page.mts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

/** The source of what a script runs in the end. */
function sourceOf(script: string): string {
	const text = scripts[script] ?? '';
	const next = /prepared\.mjs (\S+)/.exec(text)?.[1];
	if (next !== undefined) return sourceOf(next);
	const files = [...text.matchAll(/\bnode (?:--\S+ )*([\w/.-]+\.m[jt]s)/g)];
	const file = files.at(-1)?.[1];
	return file === undefined ? '' : readFileSync(join(root, file), 'utf8');
}

function faultProblem(flag: string): string | undefined {
	try {
		readFaultFlag(flag);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** npm's own commands, as far as the pages speak of them. */
const commandOfNpm = /^npm publish( |$)/;

function npmProblems(command: string): string[] {
	if (commandOfNpm.test(command)) return [];
	const [, script = '', flags = ''] =
		/^(?:\w+=\S+ )*npm (?:run )?([\w:-]+)(?: -- (.*?))?(?: +#.*)?$/.exec(command) ?? [];
	if (!(script in scripts)) return [`there is no npm script "${script}"`];
	const source = sourceOf(script);
	const unknown = [...flags.matchAll(/(?<=^| )--([\w-]+)/g)]
		.map(([, name = '']) => name)
		.filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
	const faults = [...flags.matchAll(/--fault (\S+)/g)].flatMap(
		([, flag = '']) => faultProblem(flag) ?? [],
	);
	return [...unknown.map((name) => `${script} knows no --${name}`), ...faults];
}

function fileProblems(command: string): string[] {
	const [, file] = /^(?:\w+=\S+ )*node (\S+\.m[jt]s)/.exec(command) ?? [];
	const [, tests] = /^(?:\w+=\S+ )*npx jest (\S+)/.exec(command) ?? [];
	const isMissing =
		(file !== undefined && !existsSync(join(root, file))) ||
		(tests !== undefined && globSync(`${tests}*`, { cwd: root }).length === 0);
	return isMissing ? [`${file ?? tests} does not exist`] : [];
}

const isNpm = /^(?:\w+=\S+ )*npm /;

export const commandProblems = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		codeOf(page)
			.flatMap((command) => [
				...(isNpm.test(command) ? npmProblems(command) : []),
				...fileProblems(command),
			])
			.map((problem) => `${page.path}: ${problem}`),
	);
