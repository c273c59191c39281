// `npm run docs`: writes what the documentation has from the code, then checks all pages; with --check it writes
// nothing, and says what is wrong.
import { missingPictures } from './docs/links.mts';
import { outdatedPages, writePage } from './docs/madePages.mts';
import { documentedPackage } from './docs/package.mts';
import { readPages } from './docs/pages.mts';
import { ScreenTexts } from './docs/screenTexts.mts';
import { problemsOf } from './docs/words.mts';

const isCheck = process.argv.includes('--check');

function fail(problem: string): void {
	console.error(problem);
	process.exitCode = 1;
}

const documented = await documentedPackage();
const screen = await ScreenTexts.of(documented);
for (const page of await outdatedPages(documented, screen)) {
	if (isCheck) fail(`${page.path} is out of date: npm run docs`);
	else writePage(page);
}
const pages = readPages();
for (const problem of problemsOf(pages, screen)) fail(problem);
// Taking a picture needs a browser and the full n8n; writing the pages does not wait for it.
for (const missing of missingPictures(pages)) {
	if (isCheck) fail(missing);
	else console.warn(missing);
}
