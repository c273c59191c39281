// The pages of the documentation, and the parts of them that programs generate.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

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

/** The generated parts of pages, by the names in the comments around them. */
export type Parts = Readonly<Record<string, string>>;

/** A part is between two comments: `<!-- limits: made by npm run docs -->` and `<!-- end of limits -->`. */
const partIn = /<!-- ([\w-]+): made by ([^>]+) -->[^]*?<!-- end of \1 -->/g;

/**
 * Replaces generated parts on all pages.
 * @param by the command that generates them
 * @throws Error when a page asks the command for an unknown part, or no page has a place for a part
 */
export function withParts(pages: readonly Page[], parts: Parts, by: string): Page[] {
	const missing = new Set(Object.keys(parts));
	const updated = pages.map(({ path, text }) => ({
		path,
		text: text.replace(partIn, (old, name: string, command: string) => {
			if (command !== by) return old;
			const part = parts[name];
			if (part === undefined) throw new Error(`${path}: ${by} does not generate ${name}`);
			missing.delete(name);
			return `<!-- ${name}: made by ${by} -->\n\n${part}\n\n<!-- end of ${name} -->`;
		}),
	}));
	if (missing.size > 0) throw new Error(`No page has a place for ${[...missing].join(', ')}`);
	return updated;
}

/** Formats a page like the repository's files. */
export async function formatted({ path, text }: Page): Promise<string> {
	const filepath = join(root, path);
	return await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

/** Writes the parts that a command generates into the pages that have a place for them. */
export async function writeParts(parts: Parts, by: string): Promise<void> {
	const old = readPages();
	for (const [at, page] of withParts(old, parts, by).entries()) {
		if (page.text !== old[at]!.text) writeFileSync(join(root, page.path), await formatted(page));
	}
}
