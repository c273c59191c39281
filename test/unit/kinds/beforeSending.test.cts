// A process that was suspended may have lost its keys to another one, so every kind that writes checks right before
// sending.
import type { Task } from '../../../engine/kinds/job';
import { kindOf } from '../../../engine/kinds/kinds';
import type { ServiceRequest } from '../../../engine/request/request';
import { files } from '../../../nodes/AgencyFiles/files.area';
import { licenses } from '../../../nodes/AgencyLicenses/licenses.area';
import { shiftSchedules } from '../../../nodes/AgencyShiftSchedules/shiftSchedules.area';
import { jobOf } from '../operation.cts';

const writing = [shiftSchedules, files, licenses]
	.flatMap(({ resources }) => resources.flatMap(({ operations }) => operations))
	.filter(({ route }) => !route.startsWith('GET '));

test.each(writing)('$route', async (operation) => {
	const asked = jest.fn(() => Promise.resolve());
	const requests: ServiceRequest[] = [];
	const job = jobOf(operation);
	job.values.body = { path: [] };
	job.file = { name: 'a', type: 'b', size: 0, open: jest.fn(), others: [] };
	const task: Task = {
		send(request) {
			requests.push(request);
			return Promise.reject(new Error('not sent'));
		},
		operation,
		jobs: [job],
		beforeSending: asked,
		maxParallelPages: 1,
		pageSize: 1,
		hint: jest.fn(),
		settle: jest.fn(),
	};
	await expect(kindOf(operation).run(task)).rejects.toThrow('not sent');
	expect(requests.map(({ beforeSending }) => beforeSending)).toEqual([asked]);
});
