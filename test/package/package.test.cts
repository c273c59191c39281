// The package as users install it: loaded by n8n's own loader, and the tarball's content.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { loadPackage } from '../../n8n-in-process/package.mts';

const root = join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
	repository: { url: string };
};
/** Names its page. */
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');

let nodes: INodeType[];
let credentialTypes: ICredentialType[];
beforeAll(async () => {
	const loaded = await loadPackage();
	nodes = Object.values(loaded.nodeTypes);
	({ credentialTypes } = loaded);
});

test('every node folder is listed in package.json and loads', () => {
	const folders = readdirSync(join(root, 'nodes')).filter((name) => !name.endsWith('.ts'));
	expect(manifest.n8n.nodes.map((path) => path.split('/').at(-2)).sort()).toEqual(folders.sort());
	expect(nodes.map(({ description }) => description.name).sort()).toEqual(
		folders.map((folder) => folder[0]!.toLowerCase() + folder.slice(1)).sort(),
	);
	expect(credentialTypes.map(({ name }) => name)).toEqual(['agencyRecordsApi']);
});

test('the tarball contains what the nodes need, and nothing else', () => {
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '-s'], { cwd: root, encoding: 'utf8' }),
	) as [{ size: number; unpackedSize: number; files: Array<{ path: string }> }];
	// The files that n8n downloads and unpacks: code, icons and three pages.
	expect(packed.size).toBeLessThan(200_000);
	expect(packed.unpackedSize).toBeLessThan(750_000);
	const paths = packed.files.map(({ path }) => path);
	for (const path of paths) {
		expect(path).toMatch(
			/^(dist\/(credentials|engine|icons|nodes)\/[\w/.]+\.(js|node\.json|svg)|CHANGELOG\.md|LICENSE|README\.md|package\.json)$/,
		);
	}
	for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
		expect(paths).toContain(path);
	for (const path of manifest.n8n.nodes) {
		expect(paths).toContain(path.replace(/\.js$/, '.json'));
		const compiled = readFileSync(join(root, path), 'utf8');
		for (const [, icon] of compiled.matchAll(/file:(\S+\.svg)/g))
			expect(existsSync(join(root, path, '..', icon!))).toBe(true);
	}
});

interface Codex {
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
}

test("n8n's links lead to the repository in package.json, each node's to its own page", () => {
	const pages = manifest.n8n.nodes.map((path) => {
		const { resources } = JSON.parse(
			readFileSync(join(root, path.replace(/\.js$/, '.json')), 'utf8'),
		) as Codex;
		const [credential, primary] = [
			resources.credentialDocumentation[0]!.url,
			resources.primaryDocumentation[0]!.url,
		];
		expect(credential).toBe(`${repository}/blob/main/docs/credential.md`);
		expect(primary).toMatch(new RegExp(`^${repository}/blob/main/docs/`));
		const page = primary.slice(`${repository}/blob/main/`.length);
		const title = /^# (.*)$/m.exec(readFileSync(join(root, page), 'utf8'))![1];
		const name = path.split('/').at(-2)!;
		return [title, nodes.find((node) => node.constructor.name === name)!.description.displayName];
	});
	expect(pages.map(([title]) => title)).toEqual(pages.map(([, displayName]) => displayName));
	expect(credentialTypes[0]!.documentationUrl).toBe(`${repository}/blob/main/docs/credential.md`);
});

test('only package.json names the repository', () => {
	const place = '[a-z]+://[^/ ]+/[^/ ]+/n8n-nodes-agency-records';
	const found = spawnSync('git', ['grep', '-lIE', place], { cwd: root, encoding: 'utf8' });
	expect(found.stdout.trim().split('\n')).toEqual(['package.json']);
});
