// Which ports the commands take unless they are told otherwise, read where each of them says so.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const e2e = join('test', 'e2e');

const portsIn = (file, pattern) =>
	[...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, port]) =>
		Number(port.replace('_', '')),
	);

const flag = /\bport: \{.* default: '(\d+)'/g;
const inTests = /\b(15_\d{3})\b/g;

/** n8n takes the next one too. */
const withNext = (ports) => [...new Set(ports.flatMap((port) => [port, port + 1]))].sort();

/** @returns {Array<{ command: string, ports: number[], mend: string }>} */
export const portsOfCommands = () => [
	{
		command: 'npm run sandbox',
		ports: portsIn('sandbox/main.mts', flag),
		mend: 'npm run sandbox -- --port 0',
	},
	{
		command: 'npm run editor',
		ports: withNext(portsIn('scripts/editor.mts', flag)),
		mend: 'npm run editor -- --port 5690',
	},
	{
		command: 'npm run test:e2e',
		ports: withNext(
			readdirSync(join(root, e2e)).flatMap((file) => portsIn(join(e2e, file), inTests)),
		),
		mend: 'End what listens there',
	},
];
