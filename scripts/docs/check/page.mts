// A page of the documentation, taken apart for the checks.
import { globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import { root } from '../package.mts';

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
