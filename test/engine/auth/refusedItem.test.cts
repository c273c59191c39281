// A 401 of one item while others succeed with the same token is that item's own; tokens that end one after the other
// are not.
import type { IDataObject } from 'n8n-workflow';

import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const words = 'This shift is not yours.';
const refusal = JSON.stringify({ success: false, errors: words });

describe('items that are refused whatever the token', () => {
	/** @param parallelRequests the form's default if it is not given */
	const read = async (count: number, refused: readonly number[], parallelRequests?: number) => {
		const isRefused = (url = '') => refused.some((index) => url.endsWith(`/${101 + index}`));
		const service = await startFakeService(({ url }, response) => {
			if (isRefused(url)) response.writeHead(401).end(refusal);
			else response.end('{"shift":{"shift":"A"}}');
		});
		const { json } = await readShifts(credentialsFor(service.url), count, {
			parameters: {
				shiftID: '={{ $json.id }}',
				options: parallelRequests === undefined ? {} : { parallelRequests },
			},
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
		['the first two', [0, 1], 5, 1],
		['two in a row', [20, 21], 100, 1],
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
		// Two tokens more for those that are refused one after the other.
		expect(signIns).toBeLessThanOrEqual(
			atOnce > 1 || refused.length < 3 ? 3 : 1 + 2 * refused.length,
		);
		if (count === 100 && atOnce > 1) expect(signIns).toBeLessThan(10);
		expect(requests).toBeLessThanOrEqual(count + (refused.length === 1 ? 12 : 10 * refused.length));
	});

	test('a hundred among a thousand, as many at once as the form says: no run ends, few sign-ins', async () => {
		const refused = Array.from({ length: 100 }, (_, n) => 10 * n + ((n * n) % 10));
		const { outcomes, signIns } = await read(1000, refused);
		expect(outcomes).toEqual(
			outcomes.map((__, index) => (refused.includes(index) ? 'refused' : 'success')),
		);
		expect(signIns).toBeLessThan(10);
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
		// Fewer requests are in progress than would be refused with each token.
		expect(service.paths.length - served.size).toBeLessThan(2.25 * 150);
	});
});

describe.each([1, undefined])('a service that takes none of its tokens (%s at once)', (atOnce) => {
	const read = async (credentials: CredentialStore) =>
		await readShifts(credentials, 50, {
			parameters: {
				shiftID: '={{ $json.id }}',
				options: atOnce === undefined ? {} : { parallelRequests: atOnce },
			},
			nodeSettings: { onError: 'continueRegularOutput' },
		});

	test('ends the run after three of them, and no later run', async () => {
		let signIns = 0;
		let lastRefused = Infinity;
		const service = await startFakeService(({ url, headers }, response) => {
			if (url!.includes('Token')) return response.end(`{"access_token":"token ${++signIns}"}`);
			const number = Number(headers.authorization?.replace('token ', ''));
			if (!(number > lastRefused)) response.writeHead(401).end(refusal);
			else response.end('{"shift":{"shift":"A"}}');
		}, false);
		const credentials = credentialsFor(service.url);
		const { json } = await read(credentials);
		const outcomes = json.map(({ error }) => (error as IDataObject).outcome);
		const refused = outcomes.filter((outcome) => outcome === 'refused').length;
		expect(outcomes.filter((outcome) => outcome === 'notSent')).toHaveLength(50 - refused);
		if (atOnce === 1) expect(refused).toBe(3);
		expect(json[49]!.message).toMatch(/refuses the tokens it issues/);
		expect(signIns).toBe(3);
		lastRefused = signIns;
		const later = await read(credentials);
		expect(later.json).toEqual(Array(50).fill({ shift: { shift: 'A' } }));
		expect(signIns).toBe(lastRefused + 1);
	});

	test('and always issues the same one, ends the run, too', async () => {
		const service = await startFakeService(({ url }, response) => {
			if (url!.includes('Token')) response.end('{"access_token":"always the same"}');
			else response.writeHead(401).end(refusal);
		}, false);
		const { json } = await read(credentialsFor(service.url));
		expect(json.filter(({ error }) => !error)).toEqual([]);
		expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(3);
	});
});

test('a service that issues the same token again, which an item alone was refused: one row costs few sign-ins', async () => {
	const service = await startFakeService(({ url }, response) => {
		if (url!.includes('Token')) response.end('{"access_token":"always the same"}');
		else if (url!.endsWith('/102')) response.writeHead(401).end(refusal);
		else response.end('{"shift":{"shift":"A"}}');
	}, false);
	const { json } = await readShifts(credentialsFor(service.url), 20, {
		parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 1 } },
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	expect(json.filter(({ error }) => error)).toMatchObject([{ error: { outcome: 'refused' } }]);
	expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(3);
});
