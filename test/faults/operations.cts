// The example of every operation as a single node, and a counter of the service's writes.
import type { INodeType } from 'n8n-workflow';

import type { Method } from '../../engine/area';
import type { SingleNode } from '../../n8n-in-process/singleNode.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { exampleNode, exampleOf } from '../../scripts/docs/examples.mts';
import { serviceOperations } from '../contract/openapi.cts';
import { entries } from '../contract/tables.cts';

export interface ExampleOperation extends Pick<SingleNode, 'parameters' | 'items'> {
	/** `operationId` in the sandbox. */
	name: string;
	node: INodeType;
	method: Method;
	/** Whether the node needs the response's body. */
	needsBody: boolean;
}

export const exampleOperations = entries.map(
	({ file, node, resource, operation }): ExampleOperation => ({
		...exampleNode('', resource, operation, exampleOf(file, operation)),
		name: serviceOperations.find(({ request }) => request === operation.route)!.operationId,
		node,
		method: operation.route.split(' ')[0] as Method,
		needsBody: operation.kind !== 'empty',
	}),
);

export const exampleOperation = (wanted: string): ExampleOperation =>
	exampleOperations.find(({ name }) => name === wanted)!;

export interface SampleOperation extends ExampleOperation {
	kind: string;
}

/** One operation of every kind. */
export const sampleOperations: SampleOperation[] = Object.entries({
	create: 'createShiftSchedule',
	'create without a body': 'addEventPeople',
	update: 'patchClassStudents',
	'bulk patch': 'patchApparatusMaintenance',
	upload: 'uploadFile',
	delete: 'archiveInspectionAnswer',
	read: 'getShift',
	list: 'listVendors',
}).map(([kind, name]) => ({ ...exampleOperation(name), kind }));

/** Counts how often the service has changed its records. */
export function countWrites({ records: store }: Pick<Sandbox, 'records'>): { count: number } {
	const writes = { count: 0 };
	for (const name of ['insert', 'update', 'archive'] as const) {
		const write = store[name].bind(store) as (...parameters: unknown[]) => never;
		Object.assign(store, {
			[name]: (...parameters: unknown[]) => {
				writes.count++;
				return write(...parameters);
			},
		});
	}
	return writes;
}
