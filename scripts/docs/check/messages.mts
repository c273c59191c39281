// Words in “…” are what the nodes say: each must stand in the code, up to the places that are filled in (…).
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../package.mts';
import { proseOf, type Page } from './page.mts';

const source = globSync('{credentials,engine}/**/*.ts', { cwd: root })
	.map((path) => readFileSync(join(root, path), 'utf8'))
	.join('\n');

const isSaid = (words: string): boolean =>
	words.split('…').every((part) => source.includes(part.trim()));

export const messageProblems = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		[...proseOf(page).matchAll(/“([^”]+)”/g)]
			.filter(([, words = '']) => !isSaid(words))
			.map(([quoted]) => `${page.path}: no node says ${quoted}`),
	);
