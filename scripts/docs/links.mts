// Every link must lead to a file of the repository, and to a heading that it has; every picture must be there, and say
// what it shows.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryPage } from '../addresses.mjs';
import { anchorOf } from './markdown.mts';
import { root } from './package.mts';
import { headingsOf, pathFrom, proseOf, type Page } from './pages.mts';

interface Link {
	/** The file it stands in. */
	from: string;
	/** As it is written there. */
	address: string;
	/** Where it leads, from the root. */
	path: string;
	anchor?: string;
}

/** Equal headings are numbered, as GitHub does. */
function anchorsOf(page: Page): string[] {
	const anchors = headingsOf(page).map(anchorOf);
	return anchors.map((anchor, at) => {
		const before = anchors.slice(0, at).filter((other) => other === anchor).length;
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}

const linkIn = /(?<!!)\[(?:[^[\]]|!\[[^\]]*\]\([^)]*\))*\]\(([^()\s]+)\)/g;
const hrefIn = /<a [^>]*href="([^"]+)"/g;

function linksOn(page: Page): Link[] {
	const prose = proseOf(page);
	const addresses = [linkIn, hrefIn].flatMap((pattern) =>
		[...prose.matchAll(pattern)].map(([, address = '']) => address),
	);
	return addresses.flatMap((address) => {
		const path = pathFrom(page, address);
		return path === undefined
			? []
			: [{ from: page.path, address, path, anchor: address.split('#')[1] }];
	});
}

const repository = repositoryPage(
	JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } },
);

/** Links of n8n's screens to the package's own pages, as they are built. */
const linksInCode = (): Link[] =>
	globSync('dist/{nodes,credentials}/**/*.{js,json}', { cwd: root }).flatMap((from) =>
		readFileSync(join(root, from), 'utf8')
			.split(repository)
			.slice(1)
			.map((rest) => {
				const [address, file, anchor] = /^(?:\/blob\/main\/([^#"'\s]+))?(?:#([^"'\s]*))?/.exec(
					rest,
				)!;
				return { from, address, path: file ?? 'README.md', anchor };
			}),
	);

/** @param pages all there are */
export const linkProblems = (pages: readonly Page[]): string[] =>
	[...pages.flatMap(linksOn), ...linksInCode()].flatMap(({ from, address, path, anchor }) => {
		const target = pages.find((page) => page.path === path);
		if (!target && !existsSync(join(root, path))) {
			return [`${from}: the link ${address} leads to no file`];
		}
		const isFound =
			anchor === undefined || (target !== undefined && anchorsOf(target).includes(anchor));
		return isFound ? [] : [`${from}: the link ${address} leads to no heading`];
	});

const pictureIn = /!\[(?<words>[^\]]*)\]\((?<source>[^)\s]+)\)/g;
const imageIn = /<img [^>]*src="(?<source>[^"]+)"(?:[^>]*alt="(?<words>[^"]*)")?[^>]*>/g;
/** The same picture in the dark. */
const darkIn = /<source [^>]*srcset="(?<source>[^"]+)"/g;

const inProse = (page: Page, ...patterns: RegExp[]) =>
	patterns.flatMap((pattern) => [...proseOf(page).matchAll(pattern)].map(({ groups }) => groups!));

export const pictureProblems = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		inProse(page, pictureIn, imageIn)
			.filter(({ words = '' }) => words === '')
			.map(({ source }) => `${page.path}: ${source} does not say what it shows`),
	);

/** Taking a picture needs a browser and the full n8n, so the everyday tests do without. */
export const missingPictures = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		inProse(page, pictureIn, imageIn, darkIn)
			.map(({ source }) => source!)
			.filter((source) => {
				const path = pathFrom(page, source);
				return path !== undefined && !existsSync(join(root, path));
			})
			.map((source) => `${page.path}: there is no picture ${source}: npm run pictures takes it`),
	);
