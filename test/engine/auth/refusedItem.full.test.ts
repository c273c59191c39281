// A 401 of one item while others succeed with the same token is that item's own; tokens that end one after the other
// are not.
import type { IDataObject } from 'n8n-workflow';

import { readShifts } from '../../harness/readShifts';
import { startFakeService, type FakeService } from '../../harness/server';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime({ skipsPauses: true });
const words = 'This shift is not yours.';
const refusal = JSON.stringify({ success: false, errors: words });

describe('items that are refused whatever the token', () => {
	let service: FakeService;
	afterEach(() => service.close());
	const read = async (count: number, refused: readonly number[], parallelRequests: number) => {
		const isRefused = (url = '') => refused.some((index) => url.endsWith(`/${101 + index}`));
		service = await startFakeService(({ url }, response) => {
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
		['the first', [0], 5, 5],
		['one', [2], 5, 5],
		['the last', [4], 5, 5],
		['the first', [0], 5, 1],
		['one', [2], 5, 1],
		['the last', [4], 5, 1],
		['one', [50], 100, 10],
		['ten', spread, 100, 1],
		['ten', spread, 100, 10],
		['ten', spread, 100, 256],
		['nine in a row', adjacent, 100, 10],
		['nine in a row', adjacent, 100, 256],
		['the first nine', first, 100, 1],
		['the first nine', first, 100, 256],
	])('%s (%j) of %d, %d at once: no run ends, few sign-ins', async (_, refused, count, atOnce) => {
		const { outcomes, json, signIns, requests } = await read(count, refused, atOnce);
		expect(outcomes).toEqual(
			outcomes.map((__, index) => (refused.includes(index) ? 'refused' : 'success')),
		);
		expect(outcomes).toHaveLength(count);
		expect(json[refused[0]!]!.message).toContain(words);
		// Three for an item while nothing else succeeds, as when one is sent at a time.
		expect(signIns).toBeLessThanOrEqual(1 + 3 * refused.length);
		if (count === 100 && atOnce > 1) expect(signIns).toBeLessThan(10);
		expect(requests).toBeLessThanOrEqual(count + (refused.length === 1 ? 12 : 10 * refused.length));
	});
});

describe('tokens that another process ends again and again', () => {
	let answers = 0;
	let signIns = 0;
	const sandbox = useSandbox({
		each: 'test',
		onExchange({ operation, status }) {
			if (operation === 'passwordToken') signIns++;
			if (operation === 'getShift' && status === 200 && ++answers % 10 === 0)
				sandbox.accounts.revokeTokens();
		},
	});
	beforeEach(() => {
		answers = 0;
		signIns = 0;
	});

	test.each([4, 256])(
		'after every ten requests: each item is read (%d at once)',
		async (parallelRequests) => {
			const { json } = await readShifts(sandbox.credentials({ grantType: 'password' }), 150, {
				parameters: { shiftID: '={{ 101 + $itemIndex % 5 }}', options: { parallelRequests } },
				nodeSettings: { onError: 'continueRegularOutput' },
			});
			expect(json.filter((item) => 'error' in item)).toEqual([]);
			expect(json).toHaveLength(150);
			expect(signIns).toBeLessThanOrEqual(60);
		},
	);
});
