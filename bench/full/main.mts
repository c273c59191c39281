// `npm run bench -- full` compares this package with the HTTP Request node in the full n8n that users have, with its
// database, its encrypted credentials and its expression engine. Every measurement is an n8n process of its own. Each
// round measures both nodes one after the other. It writes the table in docs/benchmarks.md. ROUNDS sets how many rounds
// there are (5 by default).
import { writeParts } from '../../scripts/docs/pages.mts';
import { goals, httpRequest, ours } from '../goals.mts';
import { goalTable, Rounds, type Round } from '../report.mts';
import { startServices } from '../service/startService.mts';
import { openBenchN8n } from './benchN8n.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const compared = goals.filter(({ full }) => full);
const services = await startServices(compared.flatMap(({ work }) => work.services));
const n8n = await openBenchN8n(services.certificate);
const results = new Rounds();
try {
	for (let round = 0; round < rounds; round++) {
		for (const { work } of compared) {
			for (const [service, conditions] of work.services.entries()) {
				for (const variant of [ours, httpRequest]) {
					const { url } = services.under(conditions);
					const milliseconds = await n8n.run(work.workload, variant, url, work.items);
					results.of(work, service, variant).push({ milliseconds } as Round);
					console.log(work.title, conditions, variant, milliseconds);
				}
			}
		}
	}
} finally {
	services.stop();
	n8n.close();
}
const command = 'npm run bench -- full';
const text = goalTable(compared, results, (goal) => goal.full!, { command, rounds });
console.log(text);
await writeParts({ full: text }, command);
