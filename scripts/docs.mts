// `npm run docs`: writes what the documentation has from the code, then checks all of it; with --check it only
// says what is wrong.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from './docs/check/check.mts';
import { readPages } from './docs/check/page.mts';
import { runExamples } from './docs/examples.mts';
import { limitsTable } from './docs/limits.mts';
import { nodePage } from './docs/nodePage.mts';
import { nodesIndex, whatNodesDo } from './docs/overview.mts';
import { documentedPackage, root } from './docs/package.mts';
import { policyDocs } from './docs/policy.mts';
import { Screen } from './docs/screen.mts';
import { serviceDocs } from './docs/service.mts';
import { settingsTable } from './docs/settings.mts';
import { formatted, readPage, withPart, writePage } from './docs/written.mts';
import { houseDocs } from './house.mts';

const nodesFolder = 'docs/nodes';

const documented = await documentedPackage();
const { nodes } = documented;
const screen = new Screen(documented);
const runs = await runExamples(documented);

/** All that is made, by page. */
const made: Record<string, string> = {
	'README.md': withPart('README.md', 'nodes', whatNodesDo(documented, 'docs/')),
	'CONTRIBUTING.md': withPart('CONTRIBUTING.md', 'house', houseDocs()),
	'docs/limits.md': withPart('docs/limits.md', 'limits', limitsTable(screen)),
	'docs/reliability.md': withPart('docs/reliability.md', 'policy', policyDocs()),
	'docs/service.md': serviceDocs(),
	'docs/settings.md': withPart('docs/settings.md', 'settings', settingsTable(screen)),
	[`${nodesFolder}/README.md`]: nodesIndex(nodes),
	...Object.fromEntries(nodes.map((node) => [`${nodesFolder}/${node.page}`, nodePage(node, runs)])),
};

const isCheck = process.argv.includes('--check');

function complain(problem: string): void {
	console.error(problem);
	process.exitCode = 1;
}

for (const [page, text] of Object.entries(made)) {
	if (readPage(page) === (await formatted(page, text))) continue;
	if (isCheck) complain(`${page} is out of date: npm run docs`);
	else await writePage(page, text);
}
for (const name of readdirSync(join(root, nodesFolder))) {
	const page = `${nodesFolder}/${name}`;
	if (page in made) continue;
	if (isCheck) complain(`${page} is of no node: npm run docs`);
	else rmSync(join(root, page));
}
for (const problem of problemsOf(readPages(), screen)) complain(problem);
