// A process that stood still may have lost its keys to another one: every kind that writes asks right before it sends.
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../engine/area';
import type { Settings } from '../../../engine/form/settings';
import type { Task } from '../../../engine/kinds/job';
import { kindOf } from '../../../engine/kinds/kinds';
import type { ServiceRequest } from '../../../engine/request/request';
import { files } from '../../../nodes/AgencyFiles/files.area';
import { licenses } from '../../../nodes/AgencyLicenses/licenses.area';
import { shiftSchedules } from '../../../nodes/AgencyShiftSchedules/shiftSchedules.area';

const writing = [shiftSchedules, files, licenses]
	.flatMap(({ resources }) => resources.flatMap(({ operations }) => operations))
	.filter(({ route }) => !route.startsWith('GET '));

test.each(writing.map((operation): [string, Operation] => [operation.route, operation]))(
	'%s',
	async (_, operation) => {
		const asked = jest.fn(() => Promise.resolve());
		const requests: ServiceRequest[] = [];
		const send = (request: ServiceRequest) => {
			requests.push(request);
			return Promise.reject(new Error('not sent'));
		};
		const body: IDataObject = { path: [] };
		const settings = { partName: 'file' } as Settings;
		const values = { path: {}, query: {}, body, settings, includedFields: {} };
		const file = { name: 'a', type: 'b', size: 0, open: jest.fn() };
		const jobs = [{ itemIndex: 0, values, file }];
		const task = { send, operation, jobs, beforeSending: asked } as unknown as Task;
		await expect(kindOf(operation).send(task)).rejects.toThrow('not sent');
		expect(requests.map(({ beforeSending }) => beforeSending)).toEqual([asked]);
	},
);
