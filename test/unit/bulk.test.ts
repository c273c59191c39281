// What a batch says of each path, by the status the service gives it.
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../engine/failure';
import type { Settings } from '../../engine/form/settings';
import { bulk } from '../../engine/kinds/bulk';
import type { Service } from '../../engine/kinds/job';
import { licenses } from '../../nodes/AgencyLicenses/licenses.area';

const operation = licenses.resources[0]!.operations[0]!;

test.each([
	[200, undefined, undefined],
	[404, 'refused', false],
	[409, 'refused', false],
	[429, 'refused', true],
	[500, 'unknown', false],
	[503, 'unknown', false],
])('a path with status %d: %s, may be sent again: %s', async (status, outcome, retryable) => {
	const path = '/licenses/1';
	const text = JSON.stringify({ ok: [{ path, status }] });
	const answer = { method: 'PATCH', status: 200, reached: { sent: true, status: 200 }, text };
	const body: IDataObject = { op: 'replace', path: [{ path }] };
	const job = { itemIndex: 0, values: { path: {}, query: {}, body, settings: {} as Settings } };
	const service = { send: () => Promise.resolve(answer), hint() {} } as unknown as Service;
	const [[result] = []] = await bulk(service, operation as never, [job]);
	if (outcome === undefined) return expect(result).toEqual({ path, status });
	expect(result).toBeInstanceOf(Failure);
	const failure = result as Failure;
	expect([failure.outcome, failure.more.retryable]).toEqual([outcome, retryable]);
});
