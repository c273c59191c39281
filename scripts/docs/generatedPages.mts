// The pages that are generated, as a whole or in part.
import { assistantNodes } from './assistantNodes.mts';
import { engineTables } from './engineTables.mts';
import { limitsTable } from './limitsTable.mts';
import { nodePage, nodesTable } from './nodePage.mts';
import type { DocumentedPackage } from './package.mts';
import { formatted, readPages, withParts, type Page } from './pages.mts';
import { runExamples } from './runExamples.mts';
import type { ScreenTexts } from './screenTexts.mts';

const nodesFolder = 'docs/nodes/';

/**
 * @returns the outdated pages with their new content
 * @throws Error when an example of an operation fails
 */
export async function outdatedPages(
	documented: DocumentedPackage,
	screen: ScreenTexts,
): Promise<Page[]> {
	const old = readPages();
	const runs = await runExamples(documented);
	const nodePages = documented.nodes.map((node) => ({
		path: `${nodesFolder}${node.page}`,
		text: nodePage(node, runs),
	}));
	const isNodePage = ({ path }: Page) => path.startsWith(nodesFolder);
	const parts = {
		nodes: nodesTable(documented),
		limits: limitsTable(screen),
		assistantNodes: assistantNodes(documented),
		...engineTables(),
	};
	const handwritten = old.filter((page) => !isNodePage(page));
	const generated = [...withParts(handwritten, parts, 'npm run docs'), ...nodePages];
	const pages = await Promise.all(
		generated.map(async (page) => ({ path: page.path, text: await formatted(page) })),
	);
	const oldTexts = new Map(old.map(({ path, text }) => [path, text]));
	return pages.filter(({ path, text }) => oldTexts.get(path) !== text);
}
