// Two processes of n8n with one account, at a service that keeps one live token of each, while tokens are revoked:
// no execution fails, no record is lost or doubled, and signing in comes to an end. Needs the built package.
// SEED repeats the answers' order, EXECUTIONS makes it longer.
import type { IDataObject } from 'n8n-workflow';

import { nodeName, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import type { WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { useSandbox } from '../harness/useSandbox';
import { startWorkers, type Worker, type Workers } from '../harness/workers.mts';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const executions = Number(process.env.EXECUTIONS ?? 40);
const processes = 2;
/** Executions of a process at a time. */
const atOnce = 3;
/** Creates of an execution; it reads as often. */
const rows = 5;
/** The service revokes all tokens after so many answers. */
const answersOfToken = 50;

const count = { signIns: 0, revocations: 0, answers: 0 };
const sandbox = useSandbox({
	seed,
	oneLiveToken: true,
	latencySpread: 20,
	onExchange({ operation, status }) {
		if (operation === 'passwordToken') count.signIns++;
		else if (status < 300 && ++count.answers % answersOfToken === 0) {
			sandbox.accounts.revokeTokens();
			count.revocations++;
		}
	},
});
let team: Workers;
beforeAll(async () => {
	team = await startWorkers(processes, sandbox.credentials({ grantType: 'password' }));
});
afterAll(() => team.stop());

const nameOf = (execution: number, row: number) => `execution ${execution}, row ${row}`;

/** Creates records, and reads a shift for each, under "Stop Workflow". */
function createAndRead(execution: number): WorkflowFile {
	const create = singleNodeWorkflow({
		type: 'n8n-nodes-agency-records.agencyShiftSchedules',
		parameters: { specifyFields: 'inputItem' },
		items: Array.from({ length: rows }, (_, row) => ({ json: { name: nameOf(execution, row) } })),
	});
	const [node] = create.nodes.slice(-1);
	const read = {
		...node!,
		id: 'read',
		name: 'Read',
		type: 'n8n-nodes-agency-records.agencyShifts',
		parameters: { shiftID: '={{ 101 + $itemIndex }}' },
	};
	return {
		...create,
		nodes: [...create.nodes, read],
		connections: {
			...create.connections,
			[nodeName]: { main: [[{ node: read.name, type: 'main', index: 0 }]] },
		},
	};
}

interface Result {
	execution: number;
	error?: string;
	created: IDataObject[];
	read: IDataObject[];
}

/** Runs what is next until nothing is left. */
async function work(worker: Worker, next: () => number | undefined): Promise<Result[]> {
	const execution = next();
	if (execution === undefined) return [];
	const { error, output } = await worker.run(createAndRead(execution));
	const result = {
		execution,
		error: error && `${error.message} ${error.description ?? ''}`,
		created: output[nodeName]!,
		read: output.Read!,
	};
	return [result, ...(await work(worker, next))];
}

test(
	`${executions} executions in ${processes} processes (seed ${seed})`,
	async () => {
		let begun = 0;
		const next = () => (begun < executions ? begun++ : undefined);
		const lanes = team.workers.flatMap((worker) =>
			Array.from({ length: atOnce }, () => work(worker, next)),
		);
		const results = (await Promise.all(lanes)).flat();

		const counts = sandbox.records.countBy('shiftSchedule', 'name');
		const times = ({ execution }: Result) =>
			Array.from({ length: rows }, (_, row) => counts.get(nameOf(execution, row)) ?? 0);
		const failed = results.filter(({ error }) => error !== undefined);
		const succeeded = results.filter(({ error }) => error === undefined);
		console.log(
			`${results.length} executions, ${failed.length} failed; ${count.revocations} revocations, ` +
				`${count.signIns} token requests. ${[...new Set(failed.map(({ error }) => error))].slice(0, 3).join('\n')}`,
		);
		expect(results).toHaveLength(executions);
		expect(count.revocations).toBeGreaterThan(0);
		expect({
			failed: failed.length,
			lost: succeeded.flatMap(times).filter((found) => found === 0).length,
			doubled: results.flatMap(times).filter((found) => found > 1).length,
			incomplete: succeeded.filter(({ created, read }) => created.length + read.length < 2 * rows)
				.length,
		}).toEqual({ failed: 0, lost: 0, doubled: 0, incomplete: 0 });
		// At first, and after each revocation, every process may sign in, and once more when another's ended its token.
		expect(count.signIns).toBeLessThanOrEqual(2 * processes * (count.revocations + 1));
	},
	20_000 + executions * 500,
);
