import { text, type Operation } from '../../engine/area';
import type { Settings } from '../../engine/form/settings';
import { buildRequest } from '../../engine/request/request';

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
