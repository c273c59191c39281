// The arrows between the modules, read from the imports, and the diagram made of them.
import { globSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';

import ts from 'typescript';

import { layers, moduleOf } from './layers.mjs';

const root = join(import.meta.dirname, '..');
const modules = layers.flatMap((layer) => Object.keys(layer));

/** One module uses another: how many of its imports do. */
export interface Arrow {
	from: string;
	to: string;
	imports: number;
}

/** All arrows between modules, from the top layer down. */
export function arrows(): Arrow[] {
	const found = new Map<string, Arrow>();
	const files = globSync('{nodes,credentials,engine}/**/*.ts', { cwd: root });
	for (const path of files) {
		const file = path.split(sep).join('/');
		const from = moduleOf(file);
		if (!from) throw new Error(`${file} stands in no module: see scripts/layers.mjs`);
		const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'));
		for (const { fileName } of importedFiles) {
			if (!fileName.startsWith('.')) continue;
			const to = moduleOf(
				normalize(join(file, '..', fileName))
					.split(sep)
					.join('/'),
			);
			if (to === from) continue;
			if (!to) throw new Error(`${file} imports ${fileName}, which is in no module`);
			const arrow = found.get(`${from} ${to}`) ?? { from, to, imports: 0 };
			found.set(`${from} ${to}`, { ...arrow, imports: arrow.imports + 1 });
		}
	}
	const order = ({ from, to }: Arrow) =>
		modules.indexOf(from) * modules.length + modules.indexOf(to);
	return [...found.values()].sort((one, other) => order(one) - order(other));
}

/** Without the arrows that lead where others lead anyway: the pipeline of a node stays visible. */
function withoutShortcuts(all: readonly Arrow[]): Arrow[] {
	const reaches = (from: string, to: string): boolean =>
		all.some((arrow) => arrow.from === from && (arrow.to === to || reaches(arrow.to, to)));
	return all.filter(
		({ from, to }) =>
			!all.some((other) => other.from === from && other.to !== to && reaches(other.to, to)),
	);
}

const nodeName = (module: string) => module.replace('engine/', '');

/** The diagram, as Mermaid's source: GitHub shows it as a picture. */
export function layerDiagram(): string {
	const labels = layers.flatMap((layer) =>
		Object.entries(layer).map(
			([module, about]) => `    ${nodeName(module)}["<b>${nodeName(module)}</b><br>${about}"]`,
		),
	);
	const lines = withoutShortcuts(arrows()).map(
		({ from, to }) => `    ${nodeName(from)} --> ${nodeName(to)}`,
	);
	return ['```mermaid', 'flowchart TD', ...labels, ...lines, '```'].join('\n');
}

if (import.meta.main) {
	for (const { from, to, imports } of arrows()) console.log(`${from} → ${to} (${imports})`);
}
