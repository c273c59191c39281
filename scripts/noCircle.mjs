// An ESLint rule: no file may import itself through others, not even for types.
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** @returns {string | undefined} the file of this repository that an import names; without its ending, a .ts file */
function fileOf(importer, path) {
	const file = resolve(dirname(importer), path);
	const isFile = (name) => statSync(name, { throwIfNoEntry: false })?.isFile();
	return path.startsWith('.') ? [file, `${file}.ts`].find(isFile) : undefined;
}

const importsOf = (file) =>
	[...readFileSync(file, 'utf8').matchAll(/\b(?:from|import) '(.+)'/g)].flatMap(
		([, path]) => fileOf(file, path) ?? [],
	);

/** @returns {string[] | undefined} the files on an import path from one to the other */
function wayBetween(from, to, seen = new Set()) {
	if (from === to) return [to];
	if (seen.has(from)) return undefined;
	seen.add(from);
	for (const next of importsOf(from)) {
		const way = wayBetween(next, to, seen);
		if (way) return [from, ...way];
	}
	return undefined;
}

/** @type {import('eslint').Rule.RuleModule} */
export const noCircle = {
	create(context) {
		const { filename, cwd } = context;
		const check = ({ source }) => {
			const imported = source && fileOf(filename, source.value);
			const way = imported && wayBetween(imported, filename);
			if (!way) return;
			const names = way.map((file) => relative(cwd, file)).join(' → ');
			context.report({ node: source, message: `This file imports itself through ${names}` });
		};
		return {
			ImportDeclaration: check,
			ExportAllDeclaration: check,
			ExportNamedDeclaration: check,
		};
	},
};
