// The rules of the layers, broken on purpose: lint must refuse each arrow that leads up, or next door, and each file
// that stands in no module.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { lintMessages } from '../harness/lint.mts';

const refusals = async (file: string, text: string) =>
	await lintMessages(file, text, 'layers/imports');

test.each([
	['engine/http/json.ts', '../form/labels', false],
	['engine/area.ts', './failure', false],
	['engine/form/form.ts', '../area', true],
	['engine/form/form.ts', './layout', true],
	['engine/form/form.ts', '../auth/token', false],
	['engine/form/form.ts', 'n8n-workflow', true],
	['engine/run.ts', '../nodes/AgencyVendors/vendors.area', false],
	['engine/run.ts', './zz', false],
	['engine/http/json.ts', '../../scripts/layers.mjs', false],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../engine/run', true],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../credentials/x', false],
	['sandbox/page/page.mts', '../../engine/area', false],
	['sandbox/page/page.mts', '../store.mts', true],
])('%s → %s: %s', async (file, path, allowed) => {
	expect((await refusals(file, `import '${path}';`)).length === 0).toBe(allowed);
});

test.each([
	"import { run } from '../run';",
	"import type { run } from '../run';",
	"import run = require('../run');",
	"export { run } from '../run';",
	"export * from '../run';",
	"export const run = await import('../run');",
	"export const run = require('../run');",
	"export let run: import('../run').run;",
	"export let run: typeof import('../run');",
	"export const run = await import('../' + 'run');",
	"/* eslint-disable */ import '../run';",
	'export const run = require(`../run`);',
])('however an import is written, it is refused where it leads up: %s', async (text) => {
	expect(await refusals('engine/http/json.ts', text)).toHaveLength(1);
});

test.each([
	'engine/zz.ts',
	'engine/zz/deep/x.ts',
	'engine/runs.ts',
	'engine/zz.mts',
	'engine/zz.js',
])('%s stands in no module, and is refused whatever it imports', async (file) => {
	const refused = [expect.stringMatching(/scripts\/layers\.mjs/)];
	expect(await refusals(file, 'export {};')).toEqual(refused);
	expect(await refusals(file, "import '../credentials/x';")).toEqual(refused);
});

/** What a file declares at its top: functions, classes, types, variables. */
function declaredIn(path: string): string[] {
	const { statements } = ts.createSourceFile(
		path,
		readFileSync(path, 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const declarations = statements.flatMap((statement): readonly ts.Node[] =>
		ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [statement],
	);
	const names = declarations.flatMap((declaration) => {
		const name = 'name' in declaration ? (declaration.name as ts.Node | undefined) : undefined;
		return name && ts.isIdentifier(name) ? [name.text] : [];
	});
	// An overloaded function is declared several times in its file.
	return [...new Set(names)];
}

test('a name of the engine means one thing: none is declared in two files', () => {
	const root = join(__dirname, '..', '..');
	const filesOf = new Map<string, string[]>();
	for (const file of globSync('engine/**/*.ts', { cwd: root })) {
		for (const name of declaredIn(join(root, file)))
			filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
	}
	expect(filesOf.size).toBeGreaterThan(300);
	expect([...filesOf].filter(([, files]) => files.length > 1)).toEqual([]);
});
