// A process that stood still may have lost its keys to another one: every kind that writes asks right before it sends.
import type { Operation } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import type { Task } from '../../../engine/kinds/job';
import { kindOf } from '../../../engine/kinds/kinds';
import type { ServiceRequest } from '../../../engine/request/request';
import { SavedForm } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
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
		const send: Task['send'] = (request) => {
			requests.push(request);
			return Promise.reject(new Error('not sent'));
		};
		const { values } = readItem(layoutOf(operation), {
			parameter: () => undefined,
			json: {},
			timeZone: 'UTC',
			form: new SavedForm({}),
		});
		const file = { name: 'a', type: 'b', size: 0, open: jest.fn(), others: [] };
		const task: Task = {
			send,
			operation,
			jobs: [{ itemIndex: 0, values: { ...values, body: { path: [] } }, file }],
			beforeSending: asked,
			maxParallelPages: 1,
			pageSize: 1,
			account: {},
			hint: jest.fn(),
			settle: jest.fn(),
		};
		await expect(kindOf(operation).send(task)).rejects.toThrow('not sent');
		expect(requests.map(({ beforeSending }) => beforeSending)).toEqual([asked]);
	},
);
