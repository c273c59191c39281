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
	depends_on?: Record<string, { condition: string }>;
	volumes?: string[];
	ports?: string[];
	healthcheck?: object;
}

const text = read('docs', 'compose.yaml');
const { services, volumes } = parse(text, { merge: true }) as {
	services: Record<string, Service>;
	volumes: Record<string, null>;
};
const all = Object.values(services);
const { main, worker } = services as Record<'main' | 'worker', Service>;

test('has n8n in the version that all tests run', () => {
	const { dependencies } = JSON.parse(read('n8n-full', 'package.json')) as {
		dependencies: Record<string, string>;
	};
	for (const { image } of [main, worker]) expect(image).toMatch(`/n8n:${dependencies.n8n}`);
});

test('what it names is there, and the workers are told what the main process is', () => {
	expect(worker.environment).toMatchObject(main.environment!);
	for (const name of ['QUEUE_BULL_REDIS_HOST', 'DB_POSTGRESDB_HOST']) {
		expect(services).toHaveProperty([String(main.environment![name])]);
	}
	const needed = all.flatMap(({ depends_on = {} }) => Object.entries(depends_on));
	expect(needed.length).toBeGreaterThan(0);
	for (const [name, { condition }] of needed) {
		expect([name, condition]).toEqual([name, 'service_healthy']);
		expect(services[name]).toHaveProperty('healthcheck');
	}
	const mounted = all.flatMap(({ volumes: own = [] }) => own.map((volume) => volume.split(':')[0]));
	expect(mounted.sort()).toEqual(Object.keys(volumes).sort());
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

test('every variable that the page explains is set', () => {
	const rows = [...read('docs', 'scaling.md').matchAll(/^\| `([A-Z0-9_]+)` +\|/gm)];
	const explained = rows.map(([, name]) => name!);
	expect(explained.length).toBeGreaterThan(0);
	for (const name of explained) expect(worker.environment).toHaveProperty([name]);
});
