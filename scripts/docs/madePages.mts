// The pages that are made from the code, or have a part that is; and which of them differ from their files.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { engineTables } from './engineTables.mts';
import { limitsTable } from './limitsTable.mts';
import { nodePage, nodesIndexPage, nodesTable } from './nodePage.mts';
import { root, type DocumentedPackage } from './package.mts';
import { formatted, readPages, withParts, type Page } from './pages.mts';
import { runExamples } from './runExamples.mts';
import type { ScreenTexts } from './screenTexts.mts';
import { openQuestionsTable, settingsTable } from './settingsTables.mts';

const nodesFolder = 'docs/nodes';

/** A page whose file is not as it should be. */
export interface OutdatedPage {
	path: string;
	/** What its file is to hold; undefined when there is to be no such file. */
	text?: string;
}

/** @throws Error when an example of an operation does not succeed */
export async function outdatedPages(
	documented: DocumentedPackage,
	screen: ScreenTexts,
): Promise<OutdatedPage[]> {
	const old = new Map(readPages().map(({ path, text }) => [path, text]));
	const runs = await runExamples(documented);
	const { nodes } = documented;
	const whole = [
		{ path: `${nodesFolder}/README.md`, text: nodesIndexPage(documented) },
		...nodes.map((node) => ({
			path: `${nodesFolder}/${node.page}`,
			text: nodePage(node, runs),
		})),
	];
	const isMadeWhole = (path: string) => path.startsWith(`${nodesFolder}/`);
	const byHand = readPages().filter(({ path }) => !isMadeWhole(path));
	const parts = {
		nodes: nodesTable(documented, 'docs/nodes/').replaceAll('nodes/../', ''),
		limits: limitsTable(screen),
		settings: settingsTable(nodes),
		'open-questions': openQuestionsTable(screen),
		...engineTables(),
	};
	const made: Page[] = [...withParts(byHand, parts, 'npm run docs'), ...whole];
	const outdated: OutdatedPage[] = [];
	for (const page of made) {
		const isAsBefore = old.get(page.path) === page.text;
		const text = isAsBefore ? page.text : await formatted(page);
		if (old.get(page.path) !== text) outdated.push({ path: page.path, text });
	}
	const gone = [...old.keys()]
		.filter((path) => isMadeWhole(path) && !whole.some((page) => page.path === path))
		.map((path) => ({ path }));
	return [...outdated, ...gone];
}

/** Writes a page as it is to be, or removes it. */
export function writePage({ path, text }: OutdatedPage): void {
	if (text === undefined) rmSync(join(root, path));
	else writeFileSync(join(root, path), text);
}
