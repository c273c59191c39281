// Every command must be one that can be run: its npm script, its files and its flags are there.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDialectFlag } from '../../../sandbox/dialects.mts';
import { readFaultFlag } from '../../../sandbox/readFaultPlan.mts';
import { commandOf } from '../../commands.mjs';
import { root } from '../package.mts';
import { codeOf, type Page } from './page.mts';

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

/** npm's own commands, as far as the pages speak of them. */
const commandOfNpm = /^npm publish( |$)/;

function npmProblems(command: string): string[] {
	if (commandOfNpm.test(command)) return [];
	const [, script = '', flags = ''] =
		/^(?:\w+=\S+ )*npm (?:run )?([\w:-]+)(?: -- (.*?))?(?: +#.*)?$/.exec(command) ?? [];
	const source = sourceOf(script, flags);
	if (source === undefined) return [`there is no command "${script} ${flags}"`];
	const unknown = [...flags.matchAll(/(?<=^| )--([\w-]+)/g)]
		.map(([, name = '']) => name)
		.filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
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
