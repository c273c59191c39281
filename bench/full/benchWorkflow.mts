// The workflow that is measured. It first warms up the code with another account, then signs in, then does the work.
import { httpRequestType, httpRequestVersion } from '../client/httpRequestNode.mts';
import { nodeVariants } from '../client/nodeVariants.mts';
import type { Workload } from '../client/measurement.mts';

/** The name of the node whose time is measured. */
export const measuredNode = 'Measured';

export const benchAccounts = ['measured', 'other'] as const;

const position = (at: number) => [at * 200, 0];

const rows = (name: string, count: number, at: number) => ({
	id: name,
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	position: position(at),
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, n) => ({ json: {
	name: 'Shift ' + n,
	fromDate: '2026-03-01T07:00:00-05:00',
	toDate: '2026-03-02T07:00:00-05:00',
	stationNumber: '4',
} }));`,
	},
});

export function benchWorkflow(
	id: string,
	workload: Workload,
	variant: string,
	url: string,
	items: number,
) {
	const chosen = nodeVariants(url)[workload][variant]!;
	const node = (name: string, account: (typeof benchAccounts)[number], at: number) => ({
		id: name,
		name,
		type: chosen.type,
		typeVersion: chosen.type === httpRequestType ? httpRequestVersion : 1,
		position: position(at),
		parameters: chosen.parameters,
		credentials: { agencyRecordsApi: { id: account, name: account } },
	});
	const trigger = {
		id: 'Start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: position(0),
		parameters: {},
	};
	const nodes = [
		trigger,
		rows('Rows to Warm Up', 200, 1),
		node('Warm Up', 'other', 2),
		rows('One Row', 1, 3),
		node('Sign In', 'measured', 4),
		rows('Rows', items, 5),
		node(measuredNode, 'measured', 6),
	];
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, before) => [
				nodes[before]!.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	return { id, name: id, active: false, settings: {}, nodes, connections };
}
