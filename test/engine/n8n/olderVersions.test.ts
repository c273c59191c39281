// The nodes in versions of n8n that lack some of what a node may use.
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyUsers } from '../../../nodes/AgencyUsers/AgencyUsers.node';
import { manualTriggerType, runWorkflow } from '../../../n8n-in-process/workflow.mts';
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { runNode } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';

let service: FakeService;
/** What the service answers, request by request; then the last again. */
let answers: Array<{ status: number; body: object }>;
let asked = 0;
beforeEach(async () => {
	asked = 0;
	service = await startFakeService((_request, response) => {
		const { status, body } = answers[Math.min(asked, answers.length - 1)]!;
		asked++;
		response.statusCode = status;
		response.end(JSON.stringify(body));
	});
});
afterEach(() => service.close());
const credentials = () => credentialsFor(service.url);

/** The node, in an n8n that lacks some of what a node may use. */
const without = (
	lacking: keyof IExecuteFunctions,
	node: INodeType,
	executionId = 'run',
): INodeType => ({
	...node,
	description: node.description,
	async execute(this: IExecuteFunctions) {
		const ctx = Object.create(this, {
			[lacking]: { value: undefined },
			getExecutionId: { value: () => executionId },
		}) as IExecuteFunctions;
		return (await node.execute!.call(ctx)) as INodeExecutionData[][];
	},
});

test('without hints in n8n the output is the same', async () => {
	const path = '/licenses/1';
	const ok = [
		{ path, status: 200 },
		{ path: '/licenses/2', status: 200 },
	];
	answers = [{ status: 200, body: { ok } }];
	const { json, error, hints } = await runNode({
		node: without('addExecutionHints', new AgencyLicenses()),
		parameters: {
			op: 'replace',
			path: { entries: [{ path }] },
			value: { entries: [{ userID: 7 }] },
			options: {},
		},
		credentials: credentials(),
	});
	expect([error, json, hints]).toEqual([undefined, [ok[0]], []]);
});

describe('without execute data in n8n', () => {
	const schedules = (executionId?: string) =>
		without('getExecuteData', new AgencyShiftSchedules(), executionId);
	const parameters = {
		fields: { name: '={{ $json.name }}' },
		options: { parallelRequests: 1, maxTries: 1 },
	};
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const created = (shiftScheduleID: number) => ({ status: 201, body: { shiftScheduleID } });

	test('"Retry On Fail" sends nothing twice', async () => {
		answers = [created(1), { status: 400, body: {} }, created(2), created(3)];
		const { json, error } = await runNode({
			node: schedules(),
			parameters,
			items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
			credentials: credentials(),
			nodeSettings: retry,
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([1, 2, 3].map((shiftScheduleID) => ({ shiftScheduleID })));
		expect(asked).toBe(4);
	});

	test('without "Retry On Fail" nothing is asked of n8n', async () => {
		answers = [created(1)];
		const { json } = await runNode({
			node: schedules(),
			parameters,
			items: [{ name: 'a' }],
			credentials: credentials(),
		});
		expect(json).toEqual([{ shiftScheduleID: 1 }]);
	});

	test('another execution with the same items sends them anew', async () => {
		answers = [created(1), created(2)];
		const options = {
			parameters,
			items: [{ json: { name: 'a' } }],
			credentials: credentials(),
			nodeSettings: retry,
		};
		const first = await runNode({ ...options, node: schedules('1') });
		const second = await runNode({ ...options, node: schedules('2') });
		expect([first.json, second.json]).toEqual([[{ shiftScheduleID: 1 }], [{ shiftScheduleID: 2 }]]);
	});

	test('two nodes that get the same items, and a node in a loop, send each their own', async () => {
		answers = [1, 2, 3, 4, 5].map((losapPointID) => ({
			status: 201,
			body: { losapPointID, shiftScheduleID: losapPointID },
		}));
		const type = (name: string) => `n8n-nodes-agency-records.${name}`;
		const at = { typeVersion: 1, position: [0, 0] as [number, number] };
		const account = { agencyRecordsApi: { id: 'account', name: 'account' } };
		let rounds = 0;
		const users = new AgencyUsers();
		// Hands its input on, the same objects, three times round.
		const loop: INodeType = {
			description: {
				...users.description,
				name: 'loop',
				properties: [],
				outputs: ['main', 'main'] as never,
			},
			async execute(this: IExecuteFunctions) {
				return rounds++ < 3 ? [this.getInputData(), []] : [[], this.getInputData()];
			},
		};
		const same = (node: INodeType): INodeType => ({
			...node,
			description: node.description,
			async execute(this: IExecuteFunctions) {
				await node.execute!.call(this);
				return [this.getInputData()];
			},
		});
		const shown = { typeVersion: 1, credentials: account, ...retry };
		const point = { userID: 1, fields: { categoryID: 1 } };
		const { run } = await runWorkflow(
			{
				name: 'Loop',
				nodes: [
					{ ...at, id: '1', name: 'Start', type: manualTriggerType, parameters: {} },
					{ ...at, id: '2', name: 'Loop', type: type('loop'), parameters: {} },
					{ ...at, ...shown, id: '3', name: 'A', type: type('agencyUsers'), parameters: point },
					{ ...at, ...shown, id: '4', name: 'B', type: type('agencyUsers'), parameters: point },
				],
				connections: {
					Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
					Loop: {
						main: [
							[{ node: 'A', type: 'main', index: 0 }],
							[{ node: 'B', type: 'main', index: 0 }],
						],
					},
					A: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
				},
				pinData: { Start: [{ json: { name: 'a' } }] },
			},
			{
				nodeTypes: {
					[type('loop')]: loop,
					[type('agencyUsers')]: same(without('getExecuteData', users)),
				},
				credentialTypes: [new AgencyRecordsApi()],
				credentials: credentials(),
			},
		);
		expect(run.data.resultData.error).toBeUndefined();
		expect(asked).toBe(4);
	});
});
