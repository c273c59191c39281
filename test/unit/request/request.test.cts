import { buildRequest } from '../../../engine/request/request';
import { contentOf, jobOf, operationWith } from '../operation.cts';

const json = { 'Content-Type': 'application/json' };
test.each([
	['A', undefined, undefined, json],
	['A', { a: 1 }, undefined, json],
	['B', undefined, undefined, {}],
	['B', { a: 1 }, undefined, json],
	['B', undefined, 'v1', { ETag: 'v1' }],
	['B', undefined, '0', { ETag: '0' }],
] as const)('profile %s with body %j and ETag %s', (headerProfile, body, etag, headers) => {
	const operation = operationWith({ headerProfile, etag: true });
	const { values } = jobOf(operation, { options: { etag } });
	expect(buildRequest(operation, values, contentOf(operation), { body }).headers).toEqual(headers);
});

test('times are in milliseconds', () => {
	const operation = operationWith({});
	const { values } = jobOf(operation, { options: { timeout: 2, maxWait: 86_400, maxTries: 3 } });
	const { timeout, limits } = buildRequest(operation, values, contentOf(operation));
	expect([timeout, limits]).toEqual([2000, { maxTries: 3, maxWait: 86_400_000 }]);
});

test.each([
	['GET', 'no-cache'],
	['POST', undefined],
	['DELETE', undefined],
] as const)('%s has the Cache-Control %s', (method, expected) => {
	const operation = operationWith({ route: `${method} /x` });
	const { values } = jobOf(operation, {});
	expect(buildRequest(operation, values, contentOf(operation)).headers['Cache-Control']).toBe(
		expected,
	);
});
