// `npm run docs`: writes the generated parts of the documentation, then checks all pages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { missingPictures, problemsOf } from './docs/checkPages.mts';
import { outdatedPages } from './docs/generatedPages.mts';
import { documentedPackage, root } from './docs/package.mts';
import { readPages } from './docs/pages.mts';
import { ScreenTexts } from './docs/screenTexts.mts';

const documented = await documentedPackage();
const screen = await ScreenTexts.of(documented);
for (const { path, text } of await outdatedPages(documented, screen))
	writeFileSync(join(root, path), text);
const pages = readPages();
const problems = problemsOf(pages, screen);
if (problems.length > 0) {
	console.error(problems.join('\n'));
	process.exitCode = 1;
}
// Taking a picture needs a browser and the full n8n, so a missing one is not a failure here.
for (const missing of missingPictures(pages)) console.warn(missing);
