// A 401 of one item while others succeed with the same token is that item's own; tokens that end one after the other
// are not.
import type { IDataObject } from 'n8n-workflow';

import { readShifts } from '../../harness/readShifts';
import { startFakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime({ skipsPauses: true });
const words = 'This shift is not yours.';
const refusal = JSON.stringify({ success: false, errors: words });

describe('items that are refused whatever the token', () => {
	const read = async (count: number, refused: readonly number[], parallelRequests: number) => {
		const isRefused = (url = '') => refused.some((index) => url.endsWith(`/${101 + index}`));
		const service = await startFakeService(({ url }, response) => {
			if (isRefused(url)) response.writeHead(401).end(refusal);
			else response.end('{"shift":{"shift":"A"}}');
		});
		const { json } = await readShifts(credentialsFor(service.url), count, {
			parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests } },
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		return {
			outcomes: json.map(({ error }) => (error as IDataObject | undefined)?.outcome ?? 'success'),
			json,
			signIns: service.paths.filter((path) => path.includes('Token')).length,
			requests: service.paths.filter((path) => !path.includes('Token')).length,
		};
	};
	test('it is said that the token is good, and that the refusal is of this item', async () => {
		const { json } = await read(100, [50], 10);
		expect(json[50]).toMatchObject({
			message: `The service refused this item (status 401), though it accepts the same token for others: ${words} [row 51 (item 50)]`,
			error: { outcome: 'refused', retryable: false, httpStatus: 401 },
		});
	});

	const spread = [3, 14, 15, 26, 35, 58, 79, 80, 93, 97];
	const adjacent = [40, 41, 42, 43, 44, 45, 46, 47, 48];
	const first = [0, 1, 2, 3, 4, 5, 6, 7, 8];
	test.each([
		['one', [2], 5, 5],
		['the first', [0], 5, 1],
		['the last', [4], 5, 1],
		['ten', spread, 100, 1],
		['ten', spread, 100, 256],
		['nine in a row', adjacent, 100, 10],
		['the first nine', first, 100, 256],
	])('%s (%j) of %d, %d at once: no run ends, few sign-ins', async (_, refused, count, atOnce) => {
		const { outcomes, json, signIns, requests } = await read(count, refused, atOnce);
		expect(outcomes).toEqual(
			outcomes.map((__, index) => (refused.includes(index) ? 'refused' : 'success')),
		);
		expect(outcomes).toHaveLength(count);
		expect(json[refused[0]!]!.message).toContain(words);
		expect(signIns).toBeLessThanOrEqual(1 + 2 * refused.length);
		if (count === 100 && atOnce > 1) expect(signIns).toBeLessThan(10);
		expect(requests).toBeLessThanOrEqual(count + (refused.length === 1 ? 12 : 10 * refused.length));
	});
});

describe('a service that ends each token after ten requests', () => {
	test.each([1, 20, 256])('loses no item (%d at once)', async (parallelRequests) => {
		const served = new Map<string | undefined, number>();
		const service = await startFakeService(({ headers: { authorization } }, response) => {
			const count = (served.get(authorization) ?? 0) + 1;
			served.set(authorization, count);
			if (count > 10) response.writeHead(401).end(refusal);
			else response.end('{"shift":{"shift":"A"}}');
		});
		const { json } = await readShifts(credentialsFor(service.url), 150, {
			parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests } },
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(json).toEqual(Array(150).fill({ shift: { shift: 'A' } }));
		expect(served.size).toBeLessThanOrEqual(30);
	});
});

test('a service that takes none of its tokens ends the run, and no later one', async () => {
	let signIns = 0;
	let lastRefused = Infinity;
	const service = await startFakeService(({ url, headers }, response) => {
		if (url!.includes('Token')) return response.end(`{"access_token":"token ${++signIns}"}`);
		const number = Number(headers.authorization?.replace('token ', ''));
		if (!(number > lastRefused)) response.writeHead(401).end(refusal);
		else response.end('{"shift":{"shift":"A"}}');
	}, false);
	const credentials = credentialsFor(service.url);
	const read = async () =>
		await readShifts(credentials, 40, {
			parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 1 } },
			nodeSettings: { onError: 'continueRegularOutput' },
		});
	const first = await read();
	const outcomes = first.json.map(({ error }) => (error as IDataObject).outcome);
	expect(outcomes).toEqual([
		...Array<string>(3).fill('refused'),
		...Array<string>(37).fill('notSent'),
	]);
	expect(first.json[39]!.message).toMatch(/refuses the tokens it issues/);
	expect(signIns).toBeLessThanOrEqual(7);
	lastRefused = signIns;
	const later = await read();
	expect(later.json).toEqual(Array(40).fill({ shift: { shift: 'A' } }));
	expect(signIns).toBe(lastRefused + 1);
});
