// The nodes in an n8n that behaves like its versions since 1.85; test:versions runs them in full installations.
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { continueOnFail } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

/** n8n 1.121 to 2.33 lose an error's cause. */
async function withoutCause(request: Promise<unknown>): Promise<unknown> {
	return await request.catch((error: Error) => {
		throw Object.defineProperty(error, 'cause', { value: undefined });
	});
}

/** The same node in an older n8n. */
function inOlderN8n(node: INodeType): INodeType {
	return {
		...node,
		async execute(this: IExecuteFunctions) {
			const newer = this.helpers;
			const helpers = Object.create(newer, {
				httpRequestWithAuthentication: {
					value(this: IExecuteFunctions, type: string, options: IHttpRequestOptions, more: object) {
						// It treats any value as true.
						options.ignoreHttpStatusErrors = Boolean(options.ignoreHttpStatusErrors);
						return withoutCause(
							newer.httpRequestWithAuthentication.call(this, type, options, more),
						);
					},
				},
			}) as typeof newer;
			const older = Object.create(this, {
				helpers: { value: helpers },
				addExecutionHints: { value: undefined },
			}) as typeof this;
			return await node.execute!.call(older);
		},
	};
}

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();

test('in an n8n without hints, the output is the same', async () => {
	const { json, error, hints } = await sandbox.run({
		node: inOlderN8n(new AgencyShifts()),
		parameters: { shiftID: 101, options: { maxTries: '' } },
	});
	expect([error, json.length, hints]).toEqual([undefined, 1, []]);
	expect(json[0]).toHaveProperty('shift');
});

test('a broken connection leaves a write in doubt, and a refused one has sent nothing', async () => {
	let connections = 0;
	const service = await startFakeService((_, response) => {
		connections++;
		response.destroy();
	});
	const store = credentialsFor(service.url);
	const create = async () => {
		const node = inOlderN8n(new AgencyShiftSchedules());
		const more = { items: namedRows(1), options: { maxTries: 1 } };
		return (await createSchedules(store, { node, nodeSettings: continueOnFail, ...more })).json[0];
	};
	expect(await create()).toMatchObject({
		message: expect.stringContaining('the connection broke'),
		error: { outcome: 'inDoubt', retryable: false },
	});
	expect(connections).toBe(1);
	await service.close();
	expect(await create()).toMatchObject({
		message: expect.stringContaining('nothing is listening there'),
		error: { outcome: 'notSent', retryable: true },
	});
});

test('a 407 is attributed to a proxy even if n8n hides who sent it', async () => {
	const service = await startFakeService((_, response) => {
		response.statusCode = 407;
		response.end('<html>Squid</html>');
	});
	const more = {
		node: inOlderN8n(new AgencyShiftSchedules()),
		nodeSettings: continueOnFail,
		items: namedRows(1),
	};
	expect((await createSchedules(credentialsFor(service.url), more)).json[0]).toMatchObject({
		message: expect.stringContaining('The proxy refused the connection (status 407)'),
		error: { outcome: 'refused', advice: expect.stringContaining('HTTPS_PROXY') },
	});
});

const files = ['nodes/AgencyShifts/AgencyShifts.node', 'credentials/AgencyRecordsApi.credentials'];
test.each(files)('an n8n too old for %s gets a clear error', (file) => {
	jest.isolateModules(() => {
		// n8n-workflow before 1.83.
		jest.doMock('n8n-workflow', () => ({ UserError: Error }));
		expect(() => jest.requireActual<object>(`../../../${file}`)).toThrow(
			/needs n8n 1\.85 or newer/,
		);
	});
});
