// `npm run docs`: writes what the documentation has from the code, then checks all pages; with --check it writes
// nothing, and says what is wrong.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from './docs/check/check.mts';
import { readPages } from './docs/check/page.mts';
import { missingPictures } from './docs/check/pictures.mts';
import { outdatedPages } from './docs/madePages.mts';
import { documentedPackage, root } from './docs/package.mts';
import { writePage } from './docs/pageFiles.mts';
import { ScreenTexts } from './docs/screenTexts.mts';

const isCheck = process.argv.includes('--check');

function fail(problem: string): void {
	console.error(problem);
	process.exitCode = 1;
}

const documented = await documentedPackage();
const screen = new ScreenTexts(documented);
for (const { page, text } of await outdatedPages(documented, screen)) {
	if (isCheck) fail(`${page} is out of date: npm run docs`);
	else if (text === undefined) rmSync(join(root, page));
	else await writePage(page, text);
}
const pages = readPages();
for (const problem of problemsOf(pages, screen)) fail(problem);
// Taking a picture needs a browser and the full n8n; writing the pages does not wait for it.
for (const missing of missingPictures(pages)) {
	if (isCheck) fail(missing);
	else console.warn(missing);
}
