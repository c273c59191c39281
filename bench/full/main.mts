// `npm run bench -- full` measures in the full n8n that users have, with PostgreSQL, encrypted credentials and n8n's
// expression engine: this package next to the HTTP Request node, and the cost of "Send Once". Every measurement is an
// n8n process of its own. It writes the tables in docs/benchmarks.md and docs/across-runs.md. ROUNDS sets the number of
// rounds (default 3); ONLY names the workloads to measure, such as `ONLY=create,keys`; then the tables are only
// printed. If a figure is worse than the best one published, it names the figure and exits with 1.
import { table } from '../../scripts/docs/markdown.mts';
import { writeParts } from '../../scripts/docs/pages.mts';
import { measures, ours, oursOnce, variantsByWork, type Work } from '../measures.mts';
import {
	figuresTable,
	formatNumber,
	machineDescription,
	median,
	reportFallen,
	rounded,
	Rounds,
	type Round,
} from '../report.mts';
import { startServices } from '../service/startService.mts';
import { openBenchN8n } from './benchN8n.mts';

const rounds = Number(process.env.ROUNDS ?? 3);
const only = process.env.ONLY?.split(',');
const isChosen = ({ name }: Work) => only?.includes(name) ?? true;
const compared = measures.filter(({ isFull, work }) => isFull && isChosen(work));
const works = variantsByWork(compared);

const keys: Work = {
	name: 'keys',
	title: '5,000 creates with a key',
	workload: 'create',
	items: 5000,
	services: [{ latency: 20 }],
};
/** The number of keys n8n remembers before each measurement; undefined without the option. */
const remembered = isChosen(keys) ? [undefined, 0, 10_000, 95_000] : [];
const keyFigures = remembered.map(() => ({ rates: [] as number[], logBytes: [] as number[] }));

const services = await startServices([keys, ...works.keys()].flatMap((work) => work.services));
const n8n = await openBenchN8n(services.certificate);
const results = new Rounds();

async function compare(work: Work, variants: Iterable<string>): Promise<void> {
	for (const [service, conditions] of work.services.entries()) {
		for (const variant of variants) {
			const { url } = services.under(conditions);
			const milliseconds = await n8n.run(work.workload, variant, url, work.items);
			results.of(work, service, variant).push({ milliseconds } as Round);
			console.log(work.title, conditions, variant, milliseconds);
		}
	}
}

async function measureKeys(): Promise<void> {
	for (const [at, count] of remembered.entries()) {
		await n8n.setRememberedKeys(count ?? 0);
		const before = await n8n.logPosition();
		const { url } = services.under(keys.services[0]!);
		const variant = count === undefined ? ours : oursOnce;
		const milliseconds = await n8n.run(keys.workload, variant, url, keys.items);
		const logBytes = (await n8n.logPosition()) - before;
		keyFigures[at]!.rates.push((keys.items * 1000) / milliseconds);
		keyFigures[at]!.logBytes.push(logBytes / keys.items);
		console.log(keys.title, variant, { remembered: count, milliseconds, logBytes });
	}
}

function keysTable(): string {
	const without = median(keyFigures[0]!.logBytes);
	const lines = remembered.map((count, at) => {
		const { rates, logBytes } = keyFigures[at]!;
		return [
			count === undefined ? 'without a key' : `${count.toLocaleString('en')} keys remembered`,
			formatNumber(median(rates)),
			count === undefined ? '–' : formatNumber((median(logBytes) - without) / 1000),
		];
	});
	return `${table(['', 'items/s', 'extra PostgreSQL log per item (kB)'], lines)}

${keys.items.toLocaleString('en')} creates with a service that takes ${keys.services[0]!.latency} ms to respond, in the full n8n with PostgreSQL; ${rounded(rounds)}; ${machineDescription()}.`;
}

try {
	for (let round = 0; round < rounds; round++) {
		for (const [work, variants] of works) await compare(work, variants);
		await measureKeys();
	}
} finally {
	services.stop();
	await n8n.close();
}
const command = 'npm run bench -- full';
const parts = {
	...(compared.length > 0 && {
		full: figuresTable(compared, results, 'full', { command, rounds }),
	}),
	...(remembered.length > 0 && { keys: keysTable() }),
};
console.log(Object.values(parts).join('\n\n'));
reportFallen(compared, results, 'full');
if (!only) await writeParts(parts, command);
