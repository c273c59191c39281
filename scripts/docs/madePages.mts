// The pages that are made from the code, or have a part that is; and which of them differ from their files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { layerDiagram } from '../layerDiagram.mts';
import { answersTable, reportsTable, tolerancesList } from './answerTables.mts';
import { dialectsTable } from './dialectsTable.mts';
import { failureCodesTable } from './failureCodesTable.mts';
import { limitsTable } from './limitsTable.mts';
import { nodePage } from './nodePage.mts';
import { nodesIndexPage, nodesTable } from './nodesTables.mts';
import { openQuestionsTable } from './openQuestionsTable.mts';
import { root, type DocumentedPackage } from './package.mts';
import { formatted, readPage, withPart, withParts } from './pageFiles.mts';
import { questionsList } from './questionsList.mts';
import { resendPolicyTable } from './resendPolicyTable.mts';
import { runExamples } from './runExamples.mts';
import type { ScreenTexts } from './screenTexts.mts';
import { servicePage } from './servicePage.mts';
import { sharedSettingsTable } from './sharedSettings.mts';

const nodesFolder = 'docs/nodes';

/** @returns what each page is to hold, by its path */
async function makePages(
	documented: DocumentedPackage,
	screen: ScreenTexts,
): Promise<Record<string, string>> {
	const { nodes } = documented;
	const operations = nodes.flatMap((node) => node.operations.map(({ operation }) => operation));
	const runs = await runExamples(documented);
	return {
		'README.md': withPart('README.md', 'nodes', nodesTable(documented, 'docs/')),
		'CONTRIBUTING.md': withPart('CONTRIBUTING.md', 'layers', layerDiagram()),
		'docs/errors.md': withPart('docs/errors.md', 'codes', failureCodesTable()),
		'docs/first-day.md': withPart('docs/first-day.md', 'questions', questionsList()),
		'docs/limits.md': withPart('docs/limits.md', 'limits', limitsTable(screen)),
		'docs/options.md': withPart('docs/options.md', 'settings', sharedSettingsTable(operations)),
		'docs/reliability.md': withParts('docs/reliability.md', {
			policy: resendPolicyTable(),
			answers: answersTable(),
			reports: reportsTable(),
			tolerances: tolerancesList(),
		}),
		'docs/sandbox.md': withPart('docs/sandbox.md', 'dialects', dialectsTable()),
		'docs/service.md': servicePage(),
		'docs/settings.md': withPart('docs/settings.md', 'settings', openQuestionsTable(screen)),
		[`${nodesFolder}/README.md`]: nodesIndexPage(nodes),
		...Object.fromEntries(
			nodes.map((node) => [`${nodesFolder}/${node.page}`, nodePage(node, { operations, runs })]),
		),
	};
}

export interface OutdatedPage {
	page: string;
	/** What its file is to hold; undefined when there is to be no such file. */
	text?: string;
}

/** @throws Error when an example of an operation does not succeed */
export async function outdatedPages(
	documented: DocumentedPackage,
	screen: ScreenTexts,
): Promise<OutdatedPage[]> {
	const pages = await makePages(documented, screen);
	const outdated: OutdatedPage[] = [];
	for (const [page, text] of Object.entries(pages)) {
		if (readPage(page) !== (await formatted(page, text))) outdated.push({ page, text });
	}
	const files = readdirSync(join(root, nodesFolder)).map((name) => `${nodesFolder}/${name}`);
	return [...outdated, ...files.filter((page) => !(page in pages)).map((page) => ({ page }))];
}
