// A 401 for one item while others succeed with the same token concerns only that item, unlike tokens that end one after
// the other.
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail, outcomesOf } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const words = 'This shift is not yours.';
const refusal = JSON.stringify({ success: false, errors: words });

/** @param issue the nth token, from 1 */
async function serve(
	isRefused: (token: string, path: string) => boolean,
	issue = (count: number) => `fake-access-token-${count}`,
) {
	let issued = 0;
	const service = await startFakeService(({ url, headers }, response) => {
		if (url!.includes('Token')) response.end(`{"access_token":"${issue(++issued)}"}`);
		else if (isRefused(headers.authorization!, url!)) response.writeHead(401).end(refusal);
		else response.end('{"shift":{"shift":"A"}}');
	}, false);
	return { service, credentials: credentialsFor(service.url) };
}

/** @param atOnce the form's default if it is not given */
const read = (credentials: CredentialStore, count: number, atOnce?: number) =>
	readShifts(credentials, count, {
		options: atOnce === undefined ? {} : { parallelRequests: atOnce },
		nodeSettings: continueOnFail,
	});

const sameToken = () => 'always the same';
const isOf = (items: readonly number[]) => (_: string, path: string) =>
	items.some((index) => path.endsWith(`/${101 + index}`));

test('the message says that the token is valid and only this item was refused', async () => {
	const { credentials } = await serve(isOf([50]));
	expect((await read(credentials, 100, 10)).json[50]).toMatchObject({
		message: `The service refused this item (status 401), though it accepts the same token for others: ${words} [row 51 (item 50)]`,
		error: { outcome: 'refused', retryable: false, httpStatus: 401 },
	});
});

const spread = [3, 14, 15, 26, 35, 58, 79, 80, 93, 97];
const nineFrom = (first: number) => Array.from({ length: 9 }, (_, n) => first + n);
const thirty = Array.from({ length: 30 }, (_, n) => 10 * n + ((n * n) % 10));
test.each<[string, number[], number, number | undefined]>([
	['one', [2], 5, 5],
	['the first', [0], 5, 1],
	['the last', [4], 5, 1],
	['the first two', [0, 1], 5, 1],
	['ten', spread, 100, 1],
	['ten', spread, 100, 256],
	['nine in a row', nineFrom(40), 100, 10],
	['the first nine', nineFrom(0), 100, 256],
	['thirty', thirty, 300, undefined],
])('%s (%j) of %d refused, %d at once: few sign-ins', async (_, refused, count, atOnce) => {
	const { service, credentials } = await serve(isOf(refused));
	const { json } = await read(credentials, count, atOnce);
	expect(outcomesOf({ json })).toEqual(
		Array.from({ length: count }, (__, n) => (refused.includes(n) ? 'refused' : 'sent')),
	);
	expect(json[refused[0]!]!.message).toContain(words);
	// Two more tokens for each item if they are refused one after the other.
	const few = count < 100 ? 3 : 9;
	expect(service.signIns.length).toBeLessThanOrEqual(atOnce === 1 ? 1 + 2 * refused.length : few);
	expect(service.requests.length).toBeLessThanOrEqual(count + 2 + 10 * refused.length);
});

test.each([1, 20, 256])(
	'no item is lost if the service ends each token after ten requests (%d in parallel)',
	async (atOnce) => {
		const served: Record<string, number> = {};
		const { service, credentials } = await serve((token) => {
			served[token] = (served[token] ?? 0) + 1;
			return served[token] > 10;
		});
		const { json } = await read(credentials, 80, atOnce);
		expect(json).toEqual(Array(80).fill({ shift: { shift: 'A' } }));
		expect(service.signIns.length).toBeLessThanOrEqual(16);
		// The requests in progress are reduced, so that each token has fewer refusals.
		expect(service.requests.length).toBeLessThan(2.25 * 80);
	},
);

test.each([
	[1, undefined],
	[undefined, undefined],
	[1, sameToken],
	[undefined, sameToken],
])('a service that refuses its own tokens ends the run after three (%s)', async (atOnce, issue) => {
	let isMended = false;
	const { service, credentials } = await serve(() => !isMended, issue);
	const { json } = await read(credentials, 50, atOnce);
	const outcomes = outcomesOf({ json });
	const refused = outcomes.filter((outcome) => outcome === 'refused').length;
	expect(outcomes.filter((outcome) => outcome === 'notSent')).toHaveLength(50 - refused);
	if (atOnce === 1) expect(refused).toBe(3);
	expect(json[49]!.message).toMatch(/^Not sent: Sign-in refused/);
	expect(service.signIns).toHaveLength(3);
	isMended = true;
	const later = await read(credentials, 50, atOnce);
	expect(later.json).toEqual(Array(50).fill({ shift: { shift: 'A' } }));
});

test('if the service issues the same token again, a refused item costs few sign-ins', async () => {
	const { service, credentials } = await serve(isOf([1]), sameToken);
	const { json } = await read(credentials, 20, 1);
	expect(outcomesOf({ json }).filter((outcome) => outcome !== 'sent')).toEqual(['refused']);
	expect(service.signIns).toHaveLength(3);
});
