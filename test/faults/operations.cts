// The operations of the example that has them all, each as a node that runs alone; and how often the service wrote.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import type { Method } from '../../engine/area';
import type { WorkflowFile } from '../../n8n-in-process/workflow.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { entries } from '../contract/tables.cts';

export interface ExampleOperation {
	name: string;
	node: INodeType;
	parameters: INodeParameters;
}

const path = join(__dirname, '..', '..', 'examples', 'every-operation.json');
const example = JSON.parse(readFileSync(path, 'utf8')) as WorkflowFile;

/** The input item of each. */
export const [item] = example.pinData!['One Row'] as unknown as [INodeExecutionData];

export const exampleOperations: ExampleOperation[] = example.nodes.flatMap(
	({ name, type, parameters }) => {
		const entry = entries.find(({ node }) => type.endsWith(`.${node.description.name}`));
		// Here each node runs alone, and gets the item itself.
		const text = JSON.stringify(parameters).replaceAll("$('One Row').first().json", '$json');
		return entry ? { name, node: entry.node, parameters: JSON.parse(text) as INodeParameters } : [];
	},
);

export interface SampleOperation extends ExampleOperation {
	kind: string;
	/** `operationId` in the sandbox. */
	operation: string;
	method: Method;
	/** Whether the service answers with a body that the node needs. */
	needsAnswer: boolean;
}

/** One operation of every kind. */
export const sampleOperations: SampleOperation[] = (
	[
		['create', 'Create Shift Schedule', 'createShiftSchedule', 'POST', true],
		['create without an answer', 'Add Event People', 'addEventPeople', 'POST', false],
		['update', 'Update Class Student', 'patchClassStudents', 'PATCH', false],
		['bulk patch', 'Patch License', 'patchLicenses', 'PATCH', true],
		['upload', 'Upload File', 'uploadFile', 'POST', true],
		['delete', 'Archive Inspection Answer', 'archiveInspectionAnswer', 'DELETE', false],
		['read', 'Get Shift', 'getShift', 'GET', true],
		['list', 'Get Fuel Vendors', 'listVendors', 'GET', true],
	] as const
).map(([kind, name, operation, method, needsAnswer]) => ({
	...exampleOperations.find((one) => one.name === name)!,
	kind,
	operation,
	method,
	needsAnswer,
}));

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
