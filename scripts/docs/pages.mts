// The pages of the documentation: their files, the parts of them that a program makes, and what their text is made of.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import prettier from 'prettier';

const root = join(import.meta.dirname, '..', '..');

export interface Page {
	/** Path from the root, with slashes. */
	path: string;
	text: string;
}

/** All pages of the repository. */
export const readPages = (): Page[] =>
	globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((name) => {
		const path = name.split(sep).join('/');
		return { path, text: readFileSync(join(root, path), 'utf8') };
	});

/** What a program makes of a page, by the names in the comments around it. */
export type Parts = Readonly<Record<string, string>>;

/** A part stands between two comments: `<!-- limits: made by npm run docs -->` and `<!-- end of limits -->`. */
const partIn = /<!-- ([\w-]+): made by ([^>]+) -->[^]*?<!-- end of \1 -->/g;

/**
 * Makes the parts of pages anew, on whatever page they stand.
 * @param by the command that makes them
 * @throws Error when a page has a part that the command does not make, or no page has one that it makes
 */
export function withParts(pages: readonly Page[], parts: Parts, by: string): Page[] {
	const found = new Set<string>();
	const made = pages.map(({ path, text }) => ({
		path,
		text: text.replace(partIn, (old, name: string, command: string) => {
			if (command !== by) return old;
			const part = parts[name];
			if (part === undefined) throw new Error(`${path}: ${by} makes no ${name}`);
			found.add(name);
			return `<!-- ${name}: made by ${by} -->\n\n${part}\n\n<!-- end of ${name} -->`;
		}),
	}));
	const missing = Object.keys(parts).filter((name) => !found.has(name));
	if (missing.length > 0) throw new Error(`No page has a place for ${missing.join(', ')}`);
	return made;
}

/** As the repository's files are formatted. */
export async function formatted({ path, text }: Page): Promise<string> {
	const filepath = join(root, path);
	return await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

/** Writes the parts that a command makes into the pages that have them. */
export async function writeParts(parts: Parts, by: string): Promise<void> {
	const old = readPages();
	for (const [at, page] of withParts(old, parts, by).entries()) {
		if (page.text !== old[at]!.text) writeFileSync(join(root, page.path), await formatted(page));
	}
}

const fence = /^( *)(```+)([^\n]*)\n([^]*?)^\1\2$/gm;
const span = /(`+)(?!`)([^]*?[^`])\1(?!`)/g;
const comment = /<!--[^]*?-->/g;

/** The text as a reader reads it: comments are left out, and code is only the word "code". */
export const proseOf = ({ text }: Page): string =>
	text.replace(fence, '').replace(span, 'code').replace(comment, '');

/** The lines of shell blocks, and all code within sentences. */
export function codeOf({ text }: Page): string[] {
	const blocks = [...text.matchAll(fence)].filter(([, , , language]) => language === 'sh');
	const lines = blocks.flatMap(([, , , , content = '']) => content.split('\n'));
	const spans = [...text.replace(fence, '').matchAll(span)].map(([, , content = '']) => content);
	return [...lines, ...spans];
}

/** Headings without their marks. */
export const headingsOf = ({ text }: Page): string[] =>
	[...text.replace(fence, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''),
	);

/** Where an address on a page leads, as a path from the root; undefined when it leads out of the repository. */
export function pathFrom({ path }: Page, address: string): string | undefined {
	if (/^[a-z]+:/i.test(address)) return undefined;
	const [file = ''] = address.split('#');
	return file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
}
