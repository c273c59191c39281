// What users install: the built package, loaded by n8n's own loader, and the tarball's content.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import { form } from '../../engine/form/form';
import { vendors } from '../../nodes/AgencyVendors/vendors.area';
import { loadPackage } from '../../runner/package.mts';

const root = join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};

let nodes: INodeType[];
let credentials: string[];
beforeAll(async () => {
	const { nodeTypes, credentialTypes } = await loadPackage();
	nodes = Object.values(nodeTypes);
	credentials = credentialTypes.map(({ name }) => name);
});

test('every node folder is in package.json, and loads', () => {
	const folders = readdirSync(join(root, 'nodes'));
	expect(manifest.n8n.nodes.map((path) => path.split('/').at(-2)).sort()).toEqual(folders.sort());
	expect(nodes.map(({ description }) => description.name).sort()).toEqual(
		folders.map((folder) => folder[0]!.toLowerCase() + folder.slice(1)).sort(),
	);
	expect(credentials).toEqual(['agencyRecordsApi']);
});

test('the tarball holds what the nodes need, and nothing else', () => {
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
			cwd: root,
			encoding: 'utf8',
		}),
	) as [{ files: Array<{ path: string }> }];
	const paths = packed.files.map(({ path }) => path);
	for (const path of paths) {
		expect(path).toMatch(
			/^(dist\/(credentials|engine|icons|nodes)\/|CHANGELOG|LICENSE|README|package\.json)/,
		);
	}
	for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
		expect(paths).toContain(path);
	for (const path of manifest.n8n.nodes) {
		expect(paths).toContain(path.replace(/\.js$/, '.json'));
		const compiled = readFileSync(join(root, path), 'utf8');
		for (const [, icon] of compiled.matchAll(/file:(\S+\.svg)/g)) {
			expect(existsSync(join(root, path, '..', icon!))).toBe(true);
		}
	}
});

/** Every property with the values of Resource and Operation that show it. */
function* places(properties: INodeProperties[]): Generator<string> {
	for (const { name, displayOptions } of properties) {
		const { resource = [''], operation = [''] } = displayOptions?.show ?? {};
		for (const r of resource) {
			for (const o of operation) yield JSON.stringify([r, o, name]);
		}
	}
}

test('no form holds the same parameter twice', () => {
	for (const { description } of nodes) {
		const all = [...places(description.properties)];
		expect([description.name, all]).toEqual([description.name, [...new Set(all)]]);
	}
});

test('forms share nothing: n8n changes descriptions after loading', () => {
	const changed = form(vendors);
	for (const property of changed) property.options?.push({ name: 'Custom', value: 'custom' });
	expect(JSON.stringify(form(vendors))).not.toContain('custom');
});
