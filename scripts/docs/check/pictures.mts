// Every picture must be there, say what it shows, and have a dark version where the page offers one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../package.mts';
import { pathFrom, proseOf, type Page } from './page.mts';

interface Picture {
	source: string;
	/** What it shows, for those who do not see it. */
	words: string;
}

const attribute = (tag: string, name: string): string =>
	new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

const inMarkdown = (prose: string): Picture[] =>
	[...prose.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, words = '', source = '']) => ({
		source,
		words,
	}));

const inHtml = (prose: string): Picture[] =>
	[...prose.matchAll(/<img [^>]*>/g)].map(([tag]) => ({
		source: attribute(tag, 'src'),
		words: attribute(tag, 'alt'),
	}));

/** `<picture>`: a light picture, and the same in the dark. */
function darkProblems(prose: string): string[] {
	const choices = [...prose.matchAll(/<picture>[^]*?<\/picture>/g)].map(([tag]) => tag);
	return choices.flatMap((tag) => {
		const light = attribute(tag, 'src');
		const dark = light.replace(/\.(\w+)$/, '-dark.$1');
		const isRight =
			attribute(tag, 'media') === '(prefers-color-scheme: dark)' &&
			attribute(tag, 'srcset') === dark;
		return isRight ? [] : [`${light} has not ${dark} beside it for the dark`];
	});
}

const sourcesOf = (prose: string): string[] => [
	...[...inMarkdown(prose), ...inHtml(prose)].map(({ source }) => source),
	...[...prose.matchAll(/<source [^>]*>/g)].map(([tag]) => attribute(tag, 'srcset')),
];

function missingOn(page: Page): string[] {
	const missing = sourcesOf(proseOf(page)).filter((source) => {
		const path = pathFrom(page, source);
		return path !== undefined && !existsSync(join(root, path));
	});
	return missing.map((source) => `there is no picture ${source}: npm run pictures takes it`);
}

function problemsOn(page: Page): string[] {
	const prose = proseOf(page);
	const silent = [...inMarkdown(prose), ...inHtml(prose)].filter(({ words }) => words === '');
	return [
		...silent.map(({ source }) => `${source} does not say what it shows`),
		...darkProblems(prose),
	];
}

const onEach = (pages: readonly Page[], problems: (page: Page) => string[]): string[] =>
	pages.flatMap((page) => problems(page).map((problem) => `${page.path}: ${problem}`));

export const missingPictures = (pages: readonly Page[]): string[] => onEach(pages, missingOn);

export const pictureProblems = (pages: readonly Page[]): string[] => onEach(pages, problemsOn);
