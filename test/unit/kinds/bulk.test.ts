// What becomes of each path of a bulk request, by what the service reports on it.
import type { IDataObject } from 'n8n-workflow';

import type { BulkOperation } from '../../../engine/area';
import { Failure } from '../../../engine/failure';
import type { Settings } from '../../../engine/form/settings';
import type { Result } from '../../../engine/items/results';
import { bulk } from '../../../engine/kinds/bulk';
import type { Task } from '../../../engine/kinds/job';
import { licenses } from '../../../nodes/AgencyLicenses/licenses.area';

const operation = licenses.resources[0]!.operations[0]!;

/** What one batch gives: an item for each list of paths. */
async function batch(
	reports: unknown,
	items: string[][] = [['/licenses/1']],
	settings: Partial<Settings> = {},
) {
	const text = JSON.stringify({ ok: reports });
	const answer = { method: 'PATCH', status: 200, maybeSent: true, text };
	const jobs = items.map((paths, itemIndex) => {
		const body: IDataObject = { op: 'replace', path: paths.map((path) => ({ path })) };
		const values = {
			path: {},
			query: {},
			body,
			settings: settings as Settings,
			includedFields: {},
		};
		return { itemIndex, values };
	});
	const hints: string[] = [];
	const send = () => Promise.resolve(answer);
	const hint = (message: string) => void hints.push(message);
	const results: Array<readonly Result[]> = [];
	const settle: Task['settle'] = (itemIndex, ofItem) => (results[itemIndex] = ofItem);
	await bulk.send({ send, hint, settle, operation, jobs } as unknown as Task<BulkOperation>);
	const said = results.map((ofItem) =>
		ofItem.map((result) => (result instanceof Failure ? result.outcome : result)),
	);
	return { results, said, hints };
}

const path = '/licenses/1';

describe('one report', () => {
	test.each([200, 201, 204, 299])('a path with status %d succeeded', async (status) => {
		expect((await batch([{ path, status }])).said).toEqual([[{ path, status }]]);
		const asText = await batch([{ path, status: String(status) }]);
		expect(asText.said).toEqual([[{ path, status }]]);
	});

	const failureOf = async (status: unknown): Promise<Failure> => {
		const [[result] = []] = (await batch([{ path, status }])).results;
		expect(result).toBeInstanceOf(Failure);
		return result as Failure;
	};

	test.each([400, 401, 404, 409, 499, '404', 429])(
		'a path with status %j is refused',
		async (status) => {
			const { outcome, code, details, message } = await failureOf(status);
			expect([outcome, details.retryable]).toEqual(['refused', status === 429]);
			// The token was accepted with the request.
			expect(code).not.toBe('tokenRefused');
			expect(message).toContain(path);
		},
	);

	const others = [null, '', ' ', false, true, [], [200], {}, 'OK', '2e2', '0200', '202', undefined];
	test.each([...[408, 500, 503, 100, 199, 202, 300, 302, 303, 600, 0, -200, 200.5], ...others])(
		'a path with status %j is in doubt',
		async (status) => {
			const { outcome, details, message } = await failureOf(status);
			expect([outcome, details.retryable ?? false]).toEqual(['unknown', false]);
			expect(message).toContain(path);
		},
	);

	test.each([{ success: false }, { errors: ['no such user'] }])(
		'a path with status 200 and %j is in doubt',
		async (mark) => {
			expect((await batch([{ path, status: 200, ...mark }])).said).toEqual([['unknown']]);
		},
	);

	test('a path with status 304 is unchanged', async () => {
		const reports = [{ path, status: 304 }];
		expect((await batch(reports)).said).toEqual([[{ notModified: true, path }]]);
		expect((await batch(reports, [[path]], { etag: 'v1' })).said).toEqual([
			[{ notModified: true, path, etag: 'v1' }],
		]);
	});
});

describe('several reports on one path', () => {
	test.each([
		[[200, 200], { path, status: 200 }],
		[[200, 404], 'unknown'],
		[[404, 200], 'unknown'],
		[[404, 409], 'refused'],
		[[429, 404], 'refused'],
		[[404, 500], 'unknown'],
		[[200, 500], 'unknown'],
		[[200, null], 'unknown'],
		[[304, 404], 'unknown'],
		[[304, 304], { notModified: true, path }],
		[[304, 200], 'unknown'],
		// A report is missing: one of the two patches may not have been made.
		[[200], 'unknown'],
		[[404], 'unknown'],
		[[], 'unknown'],
	])('%j, for both items that name it', async (statuses, expected) => {
		const reports = statuses.map((status) => ({ path, status }));
		const { said, hints } = await batch(reports, [[path], [path]]);
		expect(said).toEqual([[expected], [expected]]);
		expect(hints).toEqual([
			`Several rows have the same path, so the last may have replaced what the others set: ${path}. Give all values of a path in one row.`,
		]);
	});
});

test('paths that were not sent are counted in a hint, once each', async () => {
	const foreign = ['/licenses/2', '/licenses/2', '7', undefined].map((other) => ({ path: other }));
	const { said, hints } = await batch([...foreign, null, 'x', { path, status: 200 }]);
	expect(said).toEqual([[{ path, status: 200 }]]);
	expect(hints).toEqual([expect.stringContaining('also names 3 paths that were not sent')]);
});
