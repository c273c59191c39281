// Breaks the rules of the layers on purpose: lint must refuse each import from the same or a higher layer, and each
// cycle.
import { readdirSync } from 'node:fs';

import { layers } from '../../scripts/layers.mjs';
import { lintMessages } from '../harness/lint.mts';

test.each([
	['engine/http/json.ts', '../form/labels', false],
	['engine/area.ts', './failure', false],
	['engine/kinds/list/page.ts', '../../send/serviceAccess', true],
	['engine/kinds/list/page.ts', '../../once/key', false],
	['engine/form/form.ts', '../area', true],
	['engine/form/form.ts', './layout', true],
	['engine/form/form.ts', '../auth/token', false],
	['engine/form/form.ts', 'n8n-workflow', true],
	['engine/run.ts', '../nodes/AgencyVendors/vendors.area', false],
	['engine/http/json.ts', '../../scripts/layers.mjs', false],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../engine/run', true],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../credentials/x', false],
	['sandbox/page/page.mts', '../../engine/area', false],
	['sandbox/page/page.mts', '../store.mts', true],
])('%s → %s: %s', async (file, path, allowed) => {
	const imports = [
		`import '${path}';`,
		`import type { x } from '${path}';`,
		`export * from '${path}';`,
	];
	for (const text of [...imports, `/* eslint-disable */ ${imports[0]}`]) {
		const refusals = await lintMessages(file, text, 'no-restricted-imports');
		expect(refusals).toHaveLength(allowed ? 0 : 1);
	}
});

test.each([
	['engine/form/labels.ts', './layout', 'engine/form/layout.ts → engine/form/settings.ts → '],
	['engine/form/layout.ts', './labels', undefined],
	['sandbox/dialects.mts', './validation.mts', 'sandbox/validation.mts → '],
])('%s → %s: a cycle through %s', async (file, path, through) => {
	for (const line of [`import '${path}';`, `import type { x } from '${path}';`]) {
		const messages = await lintMessages(file, line, 'files/no-circle');
		const expected = `This file imports itself through ${through}${file}`;
		expect(messages.map(({ message }) => message)).toEqual(through ? [expected] : []);
	}
});

test('each module of the engine belongs to a layer', () => {
	const modules = readdirSync('engine').map((name) => `engine/${name.replace('.ts', '')}`);
	expect(layers.flatMap((layer) => Object.keys(layer))).toEqual(expect.arrayContaining(modules));
});
