// `npm run docs`: writes what the documentation has from the code, then checks all pages; with --check it writes
// nothing, and says what is wrong.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from './docs/check/check.mts';
import { readPages } from './docs/check/page.mts';
import { missingPictures } from './docs/check/pictures.mts';
import { limitsTable } from './docs/limitsTable.mts';
import { nodePage } from './docs/nodePage.mts';
import { nodesIndexPage, nodesTable } from './docs/nodesTables.mts';
import { openQuestionsTable } from './docs/openQuestionsTable.mts';
import { documentedPackage, root } from './docs/package.mts';
import { formatted, readPage, withPart, writePage } from './docs/pageFiles.mts';
import { resendPolicyTable } from './docs/resendPolicyTable.mts';
import { runExamples } from './docs/runExamples.mts';
import { ScreenTexts } from './docs/screenTexts.mts';
import { servicePage } from './docs/servicePage.mts';
import { sharedSettingsTable } from './docs/sharedSettings.mts';
import { houseDocs } from './house.mts';

const nodesFolder = 'docs/nodes';

const documented = await documentedPackage();
const { nodes } = documented;
const operations = nodes.flatMap((node) => node.operations.map(({ operation }) => operation));
const screen = new ScreenTexts(documented);
const runs = await runExamples(documented);

/** What each page is to hold. */
const pages: Record<string, string> = {
	'README.md': withPart('README.md', 'nodes', nodesTable(documented, 'docs/')),
	'CONTRIBUTING.md': withPart('CONTRIBUTING.md', 'house', houseDocs()),
	'docs/limits.md': withPart('docs/limits.md', 'limits', limitsTable(screen)),
	'docs/options.md': withPart('docs/options.md', 'settings', sharedSettingsTable(operations)),
	'docs/reliability.md': withPart('docs/reliability.md', 'policy', resendPolicyTable()),
	'docs/service.md': servicePage(),
	'docs/settings.md': withPart('docs/settings.md', 'settings', openQuestionsTable(screen)),
	[`${nodesFolder}/README.md`]: nodesIndexPage(nodes),
	...Object.fromEntries(
		nodes.map((node) => [`${nodesFolder}/${node.page}`, nodePage(node, { operations, runs })]),
	),
};

const isCheck = process.argv.includes('--check');

function fail(problem: string): void {
	console.error(problem);
	process.exitCode = 1;
}

for (const [page, text] of Object.entries(pages)) {
	if (readPage(page) === (await formatted(page, text))) continue;
	if (isCheck) fail(`${page} is out of date: npm run docs`);
	else await writePage(page, text);
}
for (const name of readdirSync(join(root, nodesFolder))) {
	const page = `${nodesFolder}/${name}`;
	if (page in pages) continue;
	if (isCheck) fail(`${page} is of no node: npm run docs`);
	else rmSync(join(root, page));
}
const written = readPages();
for (const problem of problemsOf(written, screen)) fail(problem);
// Taking a picture needs a browser and the full n8n; writing the pages does not wait for it.
for (const missing of missingPictures(written)) {
	if (isCheck) fail(missing);
	else console.warn(`${missing}: npm run pictures takes it`);
}
