import type { Operation } from '../../../engine/area';
import type { Settings } from '../../../engine/form/settings';
import { buildRequest } from '../../../engine/request/request';

const operation = (changes: object) =>
	({
		kind: 'single',
		route: 'POST /things',
		headerProfile: 'A',
		...changes,
	}) as unknown as Operation;
const none = { path: {}, query: {}, settings: {} as Settings };

const json = { 'Content-Type': 'application/json' };
test.each([
	['A', undefined, undefined, json],
	['A', { a: 1 }, undefined, json],
	['B', undefined, undefined, {}],
	['B', { a: 1 }, undefined, json],
	['B', undefined, 'v1', { ETag: 'v1' }],
	['B', undefined, '0', { ETag: '0' }],
])('headers of profile %s with body %j and ETag %s', (headerProfile, body, etag, headers) => {
	const values = { ...none, settings: { etag } as Settings };
	expect(buildRequest(operation({ headerProfile }), values, { body }).headers).toEqual(headers);
});

test('times are milliseconds, and no longer than a timer takes', () => {
	const settings = { timeout: 2, maxWait: 1e9, maxTries: 3 } as Settings;
	const { timeout, limits } = buildRequest(operation({}), { ...none, settings });
	expect([timeout, limits]).toEqual([2000, { maxTries: 3, maxWait: 2_147_483_647 }]);
});
