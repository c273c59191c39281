// Words in “…” quote what the nodes say: each part between the places that are filled in (…) must be in the code.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../package.mts';
import { proseOf, type Page } from './page.mts';

const source = globSync('{credentials,engine}/**/*.ts', { cwd: root })
	.map((path) => readFileSync(join(root, path), 'utf8'))
	.join('\n');

const isInCode = (words: string): boolean =>
	words.split('…').every((part) => source.includes(part.trim()));

export const messageProblems = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		[...proseOf(page).matchAll(/“([^”]+)”/g)]
			.filter(([, words = '']) => !isInCode(words))
			.map(([quoted]) => `${page.path}: no node says ${quoted}`),
	);
