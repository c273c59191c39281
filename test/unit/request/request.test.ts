import { text, type Operation } from '../../../engine/area';
import type { Settings } from '../../../engine/form/settings';
import { buildRequest } from '../../../engine/request/request';

const operation = (changes: object) =>
	({
		kind: 'item',
		request: 'POST /things',
		headerProfile: 'A',
		...changes,
	}) as unknown as Operation;
const none = { path: {}, query: {}, settings: {} as Settings };

test('path values are encoded', () => {
	const { method, path } = buildRequest(
		operation({ request: 'GET /a/{first}/b/{second}', ids: [text('first'), text('second')] }),
		{ ...none, path: { first: 12, second: 'x/../y?z' } },
	);
	expect([method, path]).toEqual(['GET', '/a/12/b/x%2F..%2Fy%3Fz']);
});

describe('Content-Type follows the header profile', () => {
	test.each([
		['A', undefined, 'application/json'],
		['A', { a: 1 }, 'application/json'],
		['B', undefined, undefined],
		['B', { a: 1 }, 'application/json'],
	])('profile %s with body %j', (profile, body, expected) => {
		const { headers } = buildRequest(operation({ headerProfile: profile }), none, body);
		expect(headers['Content-Type']).toBe(expected);
	});

	test('multipart brings its own, with the boundary', () => {
		const { headers } = buildRequest(operation({ kind: 'upload' }), none, {});
		expect(headers).not.toHaveProperty('Content-Type');
	});
});

test.each([
	['v1', { ETag: 'v1' }],
	['0', { ETag: '0' }],
	[undefined, {}],
])('ETag %j', (etag, headers) => {
	const built = buildRequest(operation({ headerProfile: 'B' }), {
		...none,
		settings: { etag } as Settings,
	});
	expect(built.headers).toEqual(headers);
});

test.each([
	['item', 1_048_576],
	['upload', 1_048_576],
	['list', 33_554_432],
	['bulk', 33_554_432],
])('the answer to %s may have %i bytes', (kind, bytes) => {
	expect(buildRequest(operation({ kind }), none).maxAnswerBytes).toBe(bytes);
});

test('times are milliseconds, and no longer than a timer takes', () => {
	const settings = { timeout: 2, maxWait: 1e9, maxTries: 3 } as Settings;
	const { timeout, limits } = buildRequest(operation({}), { ...none, settings });
	expect([timeout, limits]).toEqual([2000, { maxTries: 3, maxWait: 2_147_483_647 }]);
});
