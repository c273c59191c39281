// A service that gives every request the test's response, and one operation of each kind to call it.
import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyApparatusMaintenance } from '../../../nodes/AgencyApparatusMaintenance/AgencyApparatusMaintenance.node';
import { AgencyClasses } from '../../../nodes/AgencyClasses/AgencyClasses.node';
import { AgencyCriticalInfrastructure } from '../../../nodes/AgencyCriticalInfrastructure/AgencyCriticalInfrastructure.node';
import { AgencyEvents } from '../../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLibrary } from '../../../nodes/AgencyLibrary/AgencyLibrary.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { continueOnFail, runNode } from '../../harness/run.cts';
import { startFakeService, startLastingService, type FakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { aDay } from '../../harness/aDay.mts';

export interface CannedResponse {
	status: number;
	body: string | Buffer;
	headers?: Record<string, string>;
}

/** A response as a test describes it; without a status, it has the documented one. */
export type Given = Partial<Omit<CannedResponse, 'body'>> & { body?: unknown };

const paths = { entries: [{ path: '/licenses/1' }, { path: '/licenses/2' }] };
const users = { entries: [{ userID: 7 }] };
const all = { output: 'raw', returnAll: true };

/** By name: a node, its parameters, and the documented success status. */
const operations = {
	create: [new AgencyShiftSchedules(), { fields: { ...aDay, name: 'A' } }, 201],
	notification: [new AgencyNotifications(), { fields: { notificationID: 1 } }, 201],
	category: [new AgencyLibrary(), { fields: { categoryTitle: 'A' } }, 201],
	upload: [new AgencyFiles(), {}, 201],
	people: [
		new AgencyEvents(),
		{ eventID: '={{ $itemIndex + 1 }}', fields: { eventName: 'A' } },
		201,
	],
	students: [new AgencyClasses(), { fields: { code: '={{ $itemIndex }}' } }, 200],
	archive: [new AgencyInspections(), { inspectionID: 1, answerID: '={{ $itemIndex + 1 }}' }, 204],
	bulk: [
		new AgencyLicenses(),
		{
			op: 'replace',
			path: { entries: [{ path: '=/licenses/{{ $itemIndex + 1 }}' }] },
			value: users,
		},
		200,
	],
	bulkOfTwo: [new AgencyLicenses(), { op: 'replace', path: paths, value: users }, 200],
	maintain: [
		new AgencyApparatusMaintenance(),
		{ op: 'replace', paths, value: { doneByUserID: '7' } },
		200,
	],
	get: [new AgencyShifts(), { shiftID: 1 }, 200],
	// One row, since the service sends the same for each page.
	list: [new AgencyVendors(), { output: 'raw', limit: 1 }, 200],
	listAll: [new AgencyCriticalInfrastructure(), all, 200],
} satisfies Record<string, [INodeType, INodeParameters, number]>;

export type Name = keyof typeof operations;

/** The successful response of each operation. */
export const well = {
	create: { shiftScheduleID: 7 },
	notification: { notificationID: 'N-7' },
	category: { categoryID: 7 },
	upload: { fileGUID: 'b6f8' },
	people: { updated: 3 },
	students: { patched: 1 },
	archive: {},
	bulk: { ok: [{ path: '/licenses/1', status: 200 }] },
	get: { shift: { shift: 'A' } },
	list: { totalRows: 1, vendors: [{ rowNum: 1 }] },
} satisfies Partial<Record<Name, IDataObject>>;

interface Asking {
	options?: INodeParameters;
	/** The number of items, 1 by default. */
	count?: number;
	nodeSettings?: Partial<INode>;
	parameters?: INodeParameters;
	json?: IDataObject;
	/** The size of the file that is uploaded. */
	fileBytes?: number;
}

const binaryOf = (bytes: number) => ({
	data: {
		data: Buffer.alloc(bytes, 'x').toString('base64'),
		mimeType: 'text/plain',
		fileName: 'x.txt',
	},
});

/** @param each whether all tests of the file share one service, or each test gets its own */
export function useCannedService(each: 'file' | 'test' = 'file') {
	let service: FakeService;
	const canned = {
		response: (() => ({ status: 200, body: '' })) as (query: URLSearchParams) => CannedResponse,
		/** The requested paths. */
		paths: [] as string[],
		/** The sent bodies. */
		bodies: [] as string[],
		credentials: () => credentialsFor(service.url),
		/** Runs an operation for some items. All get the same response. */
		async run(
			name: Name,
			given: Given | ((query: URLSearchParams) => Given),
			{ options, count = 1, nodeSettings, parameters: more, json = {}, fileBytes = 1 }: Asking = {},
		) {
			const [node, parameters, success] = operations[name];
			canned.response = (query) => {
				const { body = '', ...others } = typeof given === 'function' ? given(query) : given;
				const sent =
					typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
				return { status: success, ...others, body: sent };
			};
			const binary = name === 'upload' ? binaryOf(fileBytes) : undefined;
			return await runNode({
				node,
				parameters: {
					...parameters,
					...more,
					options: { maxTries: 1, include: 'responseOnly', ...options },
				},
				items: Array.from({ length: count }, () => ({ json, binary })),
				credentials: canned.credentials(),
				nodeSettings: nodeSettings ?? continueOnFail,
			});
		},
	};
	const start = each === 'test' ? startFakeService : startLastingService;
	(each === 'test' ? beforeEach : beforeAll)(async () => {
		service = await start(({ url }, response, sent) => {
			canned.bodies.push(sent);
			const { status, body, headers } = canned.response(new URL(url!, 'http://x').searchParams);
			response.writeHead(status, headers).end(body);
		});
	});
	beforeEach(() => {
		service.paths.length = 0;
		canned.paths = service.paths;
		canned.bodies = [];
	});
	afterAll(() => service.close());
	return canned;
}
