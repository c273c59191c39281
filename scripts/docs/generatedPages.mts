// The pages that are generated, as a whole or in part, and which of their files are out of date.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { engineTables } from './engineTables.mts';
import { limitsTable } from './limitsTable.mts';
import { nodePage, nodesTable } from './nodePage.mts';
import { root, type DocumentedPackage } from './package.mts';
import { formatted, readPages, withParts, type Page } from './pages.mts';
import { runExamples } from './runExamples.mts';
import type { ScreenTexts } from './screenTexts.mts';
import { settingsTable } from './settingsTable.mts';

const nodesFolder = 'docs/nodes/';

/** A page whose file is out of date. */
export interface OutdatedPage {
	path: string;
	/** The new content; undefined when the file must go. */
	text?: string;
}

/** @throws Error when an example of an operation fails */
export async function outdatedPages(
	documented: DocumentedPackage,
	screen: ScreenTexts,
): Promise<OutdatedPage[]> {
	const old = readPages();
	const runs = await runExamples(documented);
	const { nodes } = documented;
	const nodePages = nodes.map((node) => ({
		path: `${nodesFolder}${node.page}`,
		text: nodePage(node, runs),
	}));
	const isNodePage = ({ path }: Page) => path.startsWith(nodesFolder);
	const parts = {
		nodes: nodesTable(documented),
		limits: limitsTable(screen),
		settings: settingsTable(nodes),
		...engineTables(),
	};
	const handwritten = old.filter((page) => !isNodePage(page));
	const generated = [...withParts(handwritten, parts, 'npm run docs'), ...nodePages];
	const pages: OutdatedPage[] = await Promise.all(
		generated.map(async (page) => ({ path: page.path, text: await formatted(page) })),
	);
	const removed = old
		.filter(isNodePage)
		.filter(({ path }) => generated.every((page) => page.path !== path))
		.map(({ path }) => ({ path }));
	const oldTexts = new Map(old.map(({ path, text }) => [path, text]));
	return [...pages.filter(({ path, text }) => oldTexts.get(path) !== text), ...removed];
}

export function writePage({ path, text }: OutdatedPage): void {
	if (text === undefined) rmSync(join(root, path));
	else writeFileSync(join(root, path), text);
}
