// docs/compose.yaml, as far as it can be held against something without containers: npm run test:queue runs n8n with
// what it says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const root = join(__dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

interface Service {
	image: string;
	environment?: Record<string, unknown>;
	ports?: string[];
}

const text = read('docs', 'compose.yaml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const all = Object.values(services);
const { main, worker } = services as Record<'main' | 'worker', Service>;

test('has n8n in the version that all tests run', () => {
	const { dependencies } = JSON.parse(read('n8n-full', 'package.json')) as {
		dependencies: Record<string, string>;
	};
	for (const { image } of [main, worker]) expect(image).toMatch(`/n8n:${dependencies.n8n}`);
});

test('holds no secret, and the page says which ones it asks for', () => {
	const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
	const [, block = ''] = /```ini\n([^]*?)```/.exec(read('docs', 'scaling.md'))!;
	const told = [...block.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
	expect([...new Set(asked)].sort()).toEqual(told.sort());
	const secrets = all.flatMap(({ environment = {} }) =>
		Object.entries(environment).filter(([name]) => /PASSWORD|KEY/.test(name)),
	);
	expect(secrets.length).toBeGreaterThan(0);
	for (const [name, value] of secrets)
		expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{/)]);
});

test('is reached from this machine alone', () => {
	const ports = all.flatMap(({ ports: own = [] }) => own);
	expect(ports.length).toBeGreaterThan(0);
	for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
