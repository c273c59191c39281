// The rules of the layers, broken on purpose: lint must refuse each arrow that leads up, or next door, and each file
// that stands in no module.
import { lintMessages } from '../harness/lint.mts';

const refusals = async (file: string, text: string) =>
	(await lintMessages(file, text, 'layers/imports')).map(({ message }) => message);

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
