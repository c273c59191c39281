// `npm run bench -- queue`: how much one worker of n8n's queue mode does, and how much two do together. Rounds are
// repeated, ways interleaved, medians taken. ROUNDS (3) changes how often; writes its table into docs/scaling.md.
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { endsOf } from '../../runtime/executions.mts';
import { openFleet, type Fleet } from '../../runtime/fleet.mts';
import { createCredential, publishCreates } from '../../runtime/published.mts';
import { writePart } from '../docs.mts';
import { median, shown } from '../report/figures.mts';
import { machine } from '../report/machine.mts';
import { table } from '../report/tables.mts';
import { ownCertificate } from '../service/certificate.mts';
import { startPlace } from '../service/place.mts';

const rounds = Number(process.env.ROUNDS ?? 3);
/** Milliseconds every answer takes. */
const latency = 100;
const teams = [1, 2];
const works = [
	{ executions: 60, rows: 20 },
	{ executions: 10, rows: 500 },
];
type Work = (typeof works)[number];

/** Rows in a second, from the first execution's begin to the last one's end. */
async function measure({ session }: Fleet, url: string, work: Work): Promise<number> {
	const account = sandboxCredential(url, { grantType: 'password' });
	const { id, begin } = await publishCreates(session, await createCredential(session, account));
	const names = Array.from({ length: work.rows }, (_, row) => `row ${row}`);
	await Promise.all(Array.from({ length: work.executions }, () => begin(names)));
	const ended = await endsOf(session, id, work.executions);
	if (ended.some(({ status }) => status !== 'success')) throw new Error('an execution failed');
	const first = Math.min(...ended.map(({ createdAt }) => Date.parse(createdAt)));
	const last = Math.max(...ended.map(({ stoppedAt }) => Date.parse(stoppedAt)));
	return (work.executions * work.rows * 1000) / (last - first);
}

const service = await startPlace({ latency }, ownCertificate());
const fleet = await openFleet(17_600, Math.max(...teams));
const measured = works.map((work) => ({
	work,
	rates: new Map(teams.map((team) => [team, [] as number[]])),
}));
try {
	for (let round = 0; round < rounds; round++) {
		for (const team of teams) {
			const idle = fleet.workers.slice(team);
			await Promise.all(idle.map((worker) => worker.stop()));
			// All code is warm before anything counts.
			await measure(fleet, service.url, works[0]!);
			for (const { work, rates } of measured) {
				const rate = await measure(fleet, service.url, work);
				rates.get(team)!.push(rate);
				console.log(`${team} at work, ${JSON.stringify(work)}: ${shown(rate)} rows/s`);
			}
			await Promise.all(idle.map((worker) => worker.start()));
		}
	}
} finally {
	await fleet.close();
	service.stop();
}

const lines = measured.map(({ work: { executions, rows }, rates }) => {
	const each = teams.map((team) => median(rates.get(team)!));
	return [
		`${executions} executions of ${rows} rows`,
		...each.map((rate) => `${shown(rate)} (${shown(rate / rows)})`),
	];
});
const head = ['Rows/s (executions/s)', '1 worker', '2 workers'];
const figures = `${table(head, lines)}\n\nMedians of ${rounds} rounds, on this machine: ${machine()}.`;
await writePart('scaling.md', 'queue', figures);
