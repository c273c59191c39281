// The operations tried behind each proxy, and their rows in the service's books.
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Service } from './service.mts';
import { aDay } from '../harness/aDay.mts';

export interface Operation {
	/** Of an operation of openapi.yaml. */
	operationId: string;
	/** Of the node, without the package's name. */
	type: string;
	parameters: INodeParameters;
	/** The minimum number of requests for its rows. */
	requests: number;
	/** Whether the node may repeat it after it was processed. */
	isIdempotent?: boolean;
	/** Each names its `entry` in the service's books. */
	items: (service: Service) => INodeExecutionData[];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const namedRows = () =>
	numbers(80).map((n) => ({
		json: { name: `row ${n}`, entry: `insert shiftSchedule row ${n}` },
	}));

const file = Buffer.alloc(10 * 2 ** 20, 'a').toString('base64');

export const operations: Record<string, Operation> = {
	creates: {
		operationId: 'createShiftSchedule',
		type: 'agencyShiftSchedules',
		parameters: { fields: { ...aDay, name: '={{ $json.name }}' } },
		requests: 80,
		items: namedRows,
	},
	requests: {
		operationId: 'createShiftSchedule',
		type: 'agencyRecordsRequest',
		parameters: {
			operation: 'post',
			path: '/agencyshiftschedules/shiftschedules',
			body: '={{ { name: $json.name } }}',
			// Without it, any 2xx counts as a success.
			options: { idField: 'shiftScheduleID' },
		},
		requests: 80,
		items: namedRows,
	},
	'bulk patches': {
		operationId: 'patchLicenses',
		type: 'agencyLicenses',
		parameters: {
			path: { entries: [{ path: '={{ $json.path }}' }] },
			value: { entries: [{ userID: 101 }] },
			options: { batchSize: 4 },
		},
		requests: 20,
		items: ({ records }) =>
			records.list('license', { limit: 80 }).rows.map(({ id }) => ({
				json: { path: `/licenses/${id}`, entry: `update license ${id}` },
			})),
	},
	uploads: {
		operationId: 'uploadFile',
		type: 'agencyFiles',
		// Files in memory keep this process busy, which is also the service.
		parameters: { inputDataFieldName: 'report', options: { parallelRequests: 2 } },
		requests: 6,
		items: () =>
			numbers(6).map((n) => ({
				json: { entry: `insert file row ${n}` },
				binary: {
					report: { data: file, mimeType: 'application/octet-stream', fileName: `row ${n}` },
				},
			})),
	},
	DELETE: {
		operationId: 'archiveInspectionAnswer',
		type: 'agencyInspections',
		parameters: { inspectionID: '={{ $json.inspectionID }}', answerID: '={{ $json.answerID }}' },
		requests: 80,
		isIdempotent: true,
		items: ({ records }) =>
			records.list('inspectionAnswer', { limit: 80 }).rows.map(({ id, data }) => ({
				json: {
					answerID: id,
					inspectionID: data.inspectionID as number,
					entry: `archive inspectionAnswer ${id}`,
				},
			})),
	},
};
