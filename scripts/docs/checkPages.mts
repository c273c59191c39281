// Everything that a page names must exist: files, headings, labels on screens, messages, npm scripts.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { load, type CheerioAPI } from 'cheerio';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

import { root } from './package.mts';
import type { Page } from './pages.mts';
import type { ScreenTexts } from './screenTexts.mts';

/** Labels on n8n's own screens that the pages mention. */
const labelsOfN8n = [
	'Authentication',
	'Community nodes',
	'Continue',
	'Continue (using error output)',
	'Create workflow',
	'Download',
	'Error Workflow',
	'Execute previous nodes',
	'Execute step',
	'Execute workflow',
	'Execution Logic',
	'Executions',
	'From file',
	'HTTP Request',
	'Highlighted data',
	'Import',
	'Import from File',
	'On Error',
	'Poll Times',
	'Production URL',
	'Publish',
	'Retry',
	'Retry On Fail',
	'Set Manually',
	'Settings',
	'Stop Workflow',
	'Timezone',
	'Tool Description',
	'Unpin',
	'Workflow Settings',
];

const markdown = new Marked(gfmHeadingId());
const renderings = new WeakMap<Page, CheerioAPI>();

/** Many links may lead to the same page. */
function rendered(page: Page): CheerioAPI {
	const rendering = renderings.get(page) ?? load(markdown.parse(page.text) as string);
	renderings.set(page, rendering);
	return rendering;
}

/** The addresses within the repository to which the selected elements of a page link. */
function localAddresses($: CheerioAPI, { path }: Page, selector: string): Array<[string, URL]> {
	return $(selector)
		.toArray()
		.map((element) => ['href', 'src', 'srcset'].map((name) => $(element).attr(name)).find(Boolean)!)
		.map((address): [string, URL] => [address, new URL(address, pathToFileURL(join(root, path)))])
		.filter(([, { protocol }]) => protocol === 'file:');
}

function linkProblems($: CheerioAPI, page: Page, pages: readonly Page[]): string[] {
	const hasHeading = ({ pathname, hash }: URL) =>
		pages
			.filter(({ path }) => pathToFileURL(join(root, path)).pathname === pathname)
			.some((target) => rendered(target)(`[id="${decodeURIComponent(hash.slice(1))}"]`).length > 0);
	return localAddresses($, page, 'a[href]').flatMap(([address, url]) => {
		if (url.pathname !== pathToFileURL(join(root, page.path)).pathname && !existsSync(url))
			return [`the link ${address} leads to no file`];
		return url.hash && !hasHeading(url) ? [`the link ${address} leads to no heading`] : [];
	});
}

/** In a table, a link to a test has the test's name as its text. */
const testProblems = ($: CheerioAPI, page: Page): string[] =>
	localAddresses($, page, 'td a[href*="/test/"]').flatMap(([address, url], at) => {
		const name = $('td a[href*="/test/"]').eq(at).text();
		const isThere = existsSync(url) && readFileSync(url, 'utf8').includes(name);
		return isThere ? [] : [`${address} has no test "${name}"`];
	});

const pictureProblems = ($: CheerioAPI): string[] =>
	$('img:not([alt]), img[alt=""]')
		.toArray()
		.map((image) => `${$(image).attr('src')} has no alt text`);

/** Labels are in italics and begin with a capital letter; _Equipment › Status_ is a label within another. */
const labelProblems = ($: CheerioAPI, screen: ScreenTexts): string[] =>
	$('em')
		.toArray()
		.flatMap((element) => $(element).text().split(' › '))
		.filter((label) => /^\p{Lu}/u.test(label))
		.filter((label) => !screen.all.has(label) && !labelsOfN8n.includes(label))
		.map((label) => `no form shows "${label}"`);

const source = globSync('{credentials,engine}/**/*.ts', { cwd: root })
	.map((path) => readFileSync(join(root, path), 'utf8'))
	.join('\n');

/**
 * “…” quotes the nodes' messages: each part between the placeholders (…) must be in the code. Single words are always
 * found, so at least one part must have several words.
 */
const messageProblems = ($: CheerioAPI): string[] =>
	[
		...$('body')
			.text()
			.matchAll(/“([^”]+)”/g),
	]
		.filter(([, words = '']) => {
			const parts = words.split('…').map((part) => part.trim());
			return !parts.every((part) => source.includes(part)) || !parts.some((part) => / /.test(part));
		})
		.map(([quoted]) => `no node says ${quoted}`);

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: object;
};

const commandProblems = ($: CheerioAPI): string[] =>
	$('code')
		.toArray()
		.flatMap((element) => [
			...$(element)
				.text()
				.matchAll(/\bnpm run ([\w:-]+)/g),
		])
		.filter(([, script = '']) => !(script in scripts))
		.map(([command]) => `there is no command "${command}"`);

/** Paths with an x, such as `nodes/AgencyX/x.area.ts`, stand for those of any area. */
const pathProblems = ($: CheerioAPI): string[] =>
	$('code')
		.toArray()
		.map((element) => $(element).text())
		.filter((text) => /^(?:engine|nodes|sandbox|scripts|test)\/[\w./-]+\.\w+$/.test(text))
		.filter((path) => !/\bx\.|X/.test(path) && !existsSync(join(root, path)))
		.map((path) => `there is no file ${path}`);

/** @param all the pages that may be linked to */
export const problemsOf = (
	pages: readonly Page[],
	screen: ScreenTexts,
	all: readonly Page[] = pages,
): string[] =>
	pages.flatMap((page) => {
		const $ = rendered(page);
		return [
			...linkProblems($, page, all),
			...testProblems($, page),
			...pictureProblems($),
			...labelProblems($, screen),
			...messageProblems($),
			...commandProblems($),
			...pathProblems($),
		].map((problem) => `${page.path}: ${problem}`);
	});

/** Taking a picture needs a browser and the full n8n, so the everyday tests do not insist on them. */
export const missingPictures = (pages: readonly Page[]): string[] =>
	pages.flatMap((page) =>
		localAddresses(rendered(page), page, 'img[src], source[srcset]')
			.filter(([, url]) => !existsSync(url))
			.map(
				([address]) => `${page.path}: there is no picture ${address}: npm run pictures takes it`,
			),
	);
