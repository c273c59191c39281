// One operation of every kind, and how often the service wrote for it.
import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import type { Method } from '../../engine/area';
import { AgencyClasses } from '../../nodes/AgencyClasses/AgencyClasses.node';
import { AgencyEvents } from '../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyFiles } from '../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyInspections } from '../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import type { Sandbox } from '../../sandbox/server.mts';

export interface SampleOperation {
	kind: string;
	/** `operationId` in the sandbox. */
	operation: string;
	method: Method;
	/** Whether the service answers with a body that the node needs. */
	needsAnswer: boolean;
	node: INodeType;
	parameters: INodeParameters;
	item: INodeExecutionData;
}

const json = (data: INodeExecutionData['json']): INodeExecutionData => ({ json: data });
const file: INodeExecutionData = {
	json: {},
	binary: {
		data: {
			data: Buffer.alloc(50_000, 'x').toString('base64'),
			mimeType: 'text/plain',
			fileName: 'x.txt',
		},
	},
};

/** @param sandbox whose seeded records the operations name */
export const sampleOperations = (sandbox: Sandbox): SampleOperation[] => {
	const event = sandbox.records.list('event', { limit: 1 }).rows[0]!;
	const answer = sandbox.records.list('inspectionAnswer', { limit: 1 }).rows[0]!;
	return [
		{
			kind: 'create',
			operation: 'createShiftSchedule',
			needsAnswer: true,
			method: 'POST',
			node: new AgencyShiftSchedules(),
			parameters: { fields: { name: '={{ $json.name }}' } },
			item: json({ name: 'A' }),
		},
		{
			kind: 'create without an answer',
			operation: 'addEventPeople',
			needsAnswer: false,
			method: 'POST',
			node: new AgencyEvents(),
			parameters: { eventID: event.id, fields: { eventName: '={{ $json.name }}' } },
			item: json({ name: 'Open house' }),
		},
		{
			kind: 'update',
			operation: 'patchClassStudents',
			needsAnswer: false,
			method: 'PATCH',
			node: new AgencyClasses(),
			parameters: { fields: { description: '={{ $json.text }}' } },
			item: json({ text: 'Ladder drill' }),
		},
		{
			kind: 'bulk patch',
			operation: 'patchLicenses',
			needsAnswer: true,
			method: 'PATCH',
			node: new AgencyLicenses(),
			parameters: {
				op: 'replace',
				path: { entries: [{ path: '={{ $json.path }}' }] },
				value: { entries: [{ userID: 7 }] },
			},
			item: json({ path: '/licenses/101' }),
		},
		{
			kind: 'upload',
			operation: 'uploadFile',
			needsAnswer: true,
			method: 'POST',
			node: new AgencyFiles(),
			parameters: {},
			item: file,
		},
		{
			kind: 'delete',
			operation: 'archiveInspectionAnswer',
			needsAnswer: false,
			method: 'DELETE',
			node: new AgencyInspections(),
			parameters: { inspectionID: answer.data.inspectionID as number, answerID: answer.id },
			item: json({}),
		},
		{
			kind: 'read',
			operation: 'getShift',
			needsAnswer: true,
			method: 'GET',
			node: new AgencyShifts(),
			parameters: { shiftID: 102 },
			item: json({}),
		},
		{
			kind: 'list',
			operation: 'listVendors',
			needsAnswer: true,
			method: 'GET',
			node: new AgencyVendors(),
			parameters: { limit: 5 },
			item: json({}),
		},
	];
};

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
