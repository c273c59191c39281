// Runs that stop half-way, and runs that n8n repeats: nothing twice, and the user learns what is in the books.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { run } from '../../engine/run';
import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { shiftSchedules } from '../../nodes/AgencyShiftSchedules/shiftSchedules.area';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { rowsInBooks } from '../harness/books';
import { runNode, storeWith, type RunOptions } from '../harness/run';
import { startFakeService } from '../harness/server';

let sandbox: Sandbox;
let arrivals: string[] = [];
beforeEach(async () => {
	arrivals = [];
	sandbox = await startSandbox({ onArrival: (operation) => arrivals.push(operation) });
});
afterEach(() => sandbox.close());

const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `row ${n}` }));
/** One item with two paths, one of which the service does not know. */
const patchTwoPaths = (node$?: RunOptions['node$']) =>
	runNode({
		node: new AgencyLicenses(),
		parameters: {
			op: 'replace',
			path: { entries: [{ path: '/licenses/101' }, { path: '/licenses/99999' }] },
			value: { entries: [{ userID: 7 }] },
		},
		credentials: storeWith(sandboxCredential(sandbox.url)),
		node$,
	});
const create = (options: Partial<RunOptions> & { width?: number }) =>
	runNode({
		node: new AgencyShiftSchedules(),
		credentials: storeWith(sandboxCredential(sandbox.url)),
		...options,
		parameters: {
			fields: { name: '={{ $json.name }}' },
			options: { parallelRequests: options.width ?? 1, maxTries: 1 },
			...options.parameters,
		},
	});
/** How often each name is in the books. */
function inTheBooks(): Record<string, number> {
	const count: Record<string, number> = {};
	for (const name of rowsInBooks(sandbox)) count[name] = (count[name] ?? 0) + 1;
	return count;
}
const once = (...rows: number[]) => Object.fromEntries(rows.map((n) => [`row ${n}`, 1]));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const idOf = (name: string) =>
	sandbox.records.list('shiftSchedule').rows.find(({ data }) => data.name === name)?.id;

/** Faults that strike certain creates, counted from 1 in the order they arrive. */
function strike(...places: Array<[arrival: number, rule: Omit<FaultRule, 'operation' | 'times'>]>) {
	let count = 0;
	const push = arrivals.push.bind(arrivals);
	arrivals.push = (operation) => {
		if (operation === 'createShiftSchedule') {
			const place = places.find(([arrival]) => arrival === count + 1);
			count++;
			sandbox.faults.set(place ? [{ ...place[1], operation, times: 1 }] : []);
		}
		return push(operation);
	};
}

describe('under "Stop"', () => {
	test('nothing new starts; the error says what is in the books, and what is not', async () => {
		strike([4, { fault: 'resetAfter' }]);
		const { error } = await create({ items: names(10) });
		expect(error?.message).toMatch(/^No answer from .* \[item 3\]$/);
		expect(inTheBooks()).toEqual(once(0, 1, 2, 3));
		expect(error?.description).toContain(
			`Already processed, do not send again: items 0–2 (shiftScheduleID ${idOf('row 0')}–${idOf('row 2')}).`,
		);
		expect(error?.description).toContain('look them up first: item 3.');
		expect(error?.description).toContain('Not processed: items 4–9.');
	});

	test('what is under way is awaited, and the first failed item is named', async () => {
		strike([2, { fault: 'refuse', status: 400 }], [3, { fault: 'failAfter', status: 500 }]);
		const { error } = await create({ items: names(100), width: 4 });
		const books = inTheBooks();
		expect(error?.message).toMatch(/\[item [0-3]\]$/);
		const done = /do not send again: items? ([\d–, ]+) \(shiftScheduleID ([\d–, ]+)\)/.exec(
			error!.description!,
		)!;
		const listed = (text: string) =>
			text.split(', ').flatMap((piece) => {
				const [first, last = first] = piece.split('–').map(Number);
				return Array.from({ length: last! - first! + 1 }, (_, n) => first! + n);
			});
		// One of the records in the books is the one in doubt.
		expect(listed(done[1]!).length).toBe(Object.keys(books).length - 1);
		expect(listed(done[1]!).map((n) => books[`row ${n}`])).toEqual(listed(done[1]!).map(() => 1));
		expect(listed(done[1]!).map((n) => idOf(`row ${n}`))).toEqual(listed(done[2]!));
		expect(Object.keys(books).length).toBeLessThan(8);
	});

	test('a request that waits for its next try is not sent any more', async () => {
		strike(
			[1, { fault: 'refuse', status: 429, retryAfter: 3600 }],
			[2, { fault: 'refuse', status: 400 }],
		);
		const { error } = await create({
			items: names(2),
			parameters: { options: { parallelRequests: 2, maxWait: 100_000 } },
		});
		expect(error?.description).toContain('Not processed: items 0–1.');
		expect(arrivals.filter((operation) => operation === 'createShiftSchedule')).toHaveLength(2);
	});

	test('the failure that stopped the run is named, not that of an earlier item', async () => {
		strike(
			[1, { fault: 'refuse', status: 429, retryAfter: 3600 }],
			[2, { fault: 'refuse', status: 400 }],
		);
		const { error } = await create({
			items: names(2),
			parameters: { options: { parallelRequests: 2, maxTries: 4, maxWait: 100_000 } },
		});
		expect(error?.message).toMatch(/status 400 \[item 1\]$/);
		expect(error?.description).toContain('Not processed: items 0–1.');
	});

	test('an item of which some was processed is told path by path', async () => {
		const { error } = await patchTwoPaths();
		expect(error?.message).toMatch(/"\/licenses\/99999" with status 404 \[item 0\]$/);
		expect(error?.description).toBe(
			'Partly processed: item 0 (processed: /licenses/101; not processed: /licenses/99999).',
		);
	});

	describe('bad items are found before anything is sent', () => {
		const bad = (count: number, of: number) =>
			Array.from({ length: of }, (_, n) => ({ name: n >= of - count ? { n } : `row ${n}` }));

		test('all of them are named', async () => {
			const { error } = await create({ items: bad(4, 7) });
			expect(error?.message).toMatch(
				/^Nothing was sent: 4 of 7 items have values that are not valid\. Item 3: 'Name' is \{"n":3\}.*\. Item 4: 'Name' .*\. Item 5: 'Name' .*\. Item 6: 'Name' is \{"n":6\}[^.]*\.$/,
			);
			expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 3 } });
			expect(arrivals).toEqual([]);
		});

		test('up to ten, then they are counted', async () => {
			const { error } = await create({ items: bad(12, 12) });
			expect(error?.message).toMatch(
				/^Nothing was sent: 12 of 12 items have values that are not valid\. Item 0: .* Item 9: .*\. And 2 more\.$/,
			);
			expect(error?.message).not.toContain('Item 10');
		});

		test('in 2 kB, however much there is to say', async () => {
			const items = Array.from({ length: 12 }, () => ({ name: ['x'.repeat(5000)] }));
			const { error } = await create({
				items,
				parameters: {
					fields: { name: '={{ $json.name }}', fromDate: '={{ $json.name }}', toDate: 'x' },
				},
			});
			expect(Buffer.byteLength(error!.message)).toBeLessThanOrEqual(2048);
			expect(error?.message).toMatch(/Item 9: .*And 2 more\.$/);
		});

		test('one alone is named as ever', async () => {
			const { error } = await create({ items: bad(1, 3) });
			expect(error?.message).toMatch(/^'Name' is \{"n":2\}.* \[item 2\]$/);
		});

		test('an operation that is not there is said once', async () => {
			const { error } = await create({ items: names(3), parameters: { operation: 'paint' } });
			expect(error?.message).toMatch(/^This node has no operation "paint".* \[item 0\]$/);
		});
	});

	test('a read has no report', async () => {
		const { error } = await runNode({
			node: new AgencyShifts(),
			parameters: { shiftID: '={{ $json.id }}' },
			items: [{ id: 101 }, { id: 999_999 }],
			credentials: storeWith(sandboxCredential(sandbox.url)),
		});
		expect(error?.description).not.toMatch(/processed/);
	});
});

describe('"Retry On Fail"', () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('the second try goes on where the first stopped', async () => {
		strike([4, { fault: 'refuse', status: 400 }], [7, { fault: 'refuse', status: 403 }]);
		const { json, error } = await create({ items: names(10), node$: retry });
		expect(error).toBeUndefined();
		expect(inTheBooks()).toEqual(once(...upTo(10)));
		expect(json.map(({ shiftScheduleID }) => shiftScheduleID)).toEqual(
			upTo(10).map((n) => idOf(`row ${n}`)),
		);
	});

	test('an item in doubt stays in doubt and is not sent again; the others are', async () => {
		strike([4, { fault: 'resetAfter' }]);
		const { error } = await create({ items: names(10), node$: retry });
		expect(inTheBooks()).toEqual(once(...upTo(10)));
		expect(error?.message).toMatch(/No answer.*\[item 3\]$/);
		expect(error?.description).toMatch(/do not send again: items 0–2, 4–9 .*first: item 3\.$/);
	});

	test('an item that was accepted, but whose answer could not be read, is not sent again', async () => {
		strike([1, { fault: 'emptyAnswer' }]);
		const { error } = await create({ items: names(3), node$: retry });
		expect(inTheBooks()).toEqual(once(0, 1, 2));
		expect(error?.message).toMatch(/is empty.*\[item 0\]$/);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'%s: n8n also repeats a node whose first output is an error',
		async (onError) => {
			strike([1, { fault: 'refuse', status: 409 }], [2, { fault: 'resetAfter' }]);
			const { json, errorItems } = await create({
				items: names(4),
				node$: { ...retry, onError },
			});
			expect(inTheBooks()).toEqual(once(0, 1, 2, 3));
			const failed = [...json, ...errorItems.map((item) => item.json)].filter(
				(item) => 'error' in item,
			);
			expect(failed).toMatchObject([
				{ message: expect.stringMatching(/\[item 1\]$/), error: { outcome: 'unknown' } },
			]);
			expect(arrivals.filter((operation) => operation === 'createShiftSchedule')).toHaveLength(5);
		},
	);

	test('bulk: a batch that was processed is not sent again', async () => {
		let patches = 0;
		const push = arrivals.push.bind(arrivals);
		arrivals.push = (operation) => {
			if (operation === 'patchLicenses' && ++patches === 2) {
				sandbox.faults.set([{ fault: 'refuse', status: 400, times: 1 }]);
			}
			return push(operation);
		};
		const items = upTo(6).map((n) => ({ path: `/licenses/${101 + n}` }));
		const { json, error } = await runNode({
			node: new AgencyLicenses(),
			parameters: {
				op: 'replace',
				path: { entries: [{ path: '={{ $json.path }}' }] },
				value: { entries: [{ userID: 7 }] },
				options: { batchSize: 2, parallelRequests: 1 },
			},
			items,
			credentials: storeWith(sandboxCredential(sandbox.url)),
			node$: retry,
		});
		expect(error).toBeUndefined();
		expect(json).toEqual(items.map(({ path }) => ({ path, status: 200 })));
		expect(patches).toBe(4);
	});

	test('bulk: of an item whose paths fared differently, nothing is sent again', async () => {
		const { error } = await patchTwoPaths(retry);
		expect(error?.message).toMatch(/refused the path "\/licenses\/99999" with status 404/);
		expect(arrivals.filter((operation) => operation === 'patchLicenses')).toHaveLength(1);
	});

	test('items that no longer fit in a later try do not hide what was sent in the first', async () => {
		strike([2, { fault: 'refuse', status: 400 }]);
		const items = names(3);
		let tries = 0;
		const node = new AgencyShiftSchedules();
		const { error } = await create({
			node: {
				...node,
				async execute(this: IExecuteFunctions) {
					if (++tries > 1) for (const { json } of this.getInputData()) json.name = {};
					return node.execute.call(this);
				},
			},
			items,
			node$: retry,
		});
		expect(error?.message).toMatch(
			/^Nothing more was sent: 2 of 3 items have values that are not valid\. Item 1: /,
		);
		expect(error?.description).toContain('Already processed, do not send again: item 0 (');
		expect(inTheBooks()).toEqual(once(0));
	});

	test.each([
		['a busy path', 429],
		['a refused path', 404],
	])(
		'bulk, on error continue: %s of an item that was partly processed is not retryable',
		async (_, status) => {
			const ok = [
				{ path: '/licenses/101', status: 200 },
				{ path: '/licenses/102', status },
			];
			const service = await startFakeService((_request, response) =>
				response.end(JSON.stringify({ ok })),
			);
			const run = (paths: string[]) =>
				runNode({
					node: new AgencyLicenses(),
					parameters: {
						op: 'replace',
						path: { entries: paths.map((path) => ({ path })) },
						value: { entries: [{ userID: 7 }] },
					},
					credentials: storeWith(sandboxCredential(service.url, { grantType: 'password' })),
					node$: { onError: 'continueErrorOutput' },
				});
			const partly = await run(['/licenses/101', '/licenses/102']);
			const alone = await run(['/licenses/102']);
			await service.close();
			expect(partly.items).toHaveLength(1);
			expect(partly.errorItems).toMatchObject([
				{ json: { error: { outcome: 'refused', retryable: false } } },
			]);
			expect((partly.errorItems[0]!.json.error as IDataObject).advice).toMatch(/other paths/i);
			expect(alone.errorItems).toMatchObject([
				{ json: { error: { outcome: 'refused', retryable: status === 429 } } },
			]);
		},
	);

	test('an item that had no rows is not asked for again', async () => {
		const push = arrivals.push.bind(arrivals);
		arrivals.push = (operation) => {
			const isSecond = arrivals.filter((name) => name === 'listVendors').length === 1;
			sandbox.faults.set(isSecond ? [{ fault: 'refuse', status: 403, times: 1 }] : []);
			return push(operation);
		};
		const { json, error } = await runNode({
			node: new AgencyVendors(),
			parameters: {
				returnAll: false,
				limit: 1,
				options: { offset: '={{ $json.offset }}', parallelRequests: 1 },
			},
			items: [{ offset: 10_000 }, { offset: 0 }],
			credentials: storeWith(sandboxCredential(sandbox.url)),
			node$: retry,
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(arrivals.filter((operation) => operation === 'listVendors')).toHaveLength(3);
	});

	test('another execution with the same items sends them anew', async () => {
		const items = names(2).map((json) => ({ json }));
		await create({ items, node$: retry });
		await create({ items, node$: retry });
		expect(inTheBooks()).toEqual({ 'row 0': 2, 'row 1': 2 });
	});

	test('as a tool of an AI agent, each call is a run of its own, and its tries are one', async () => {
		// n8n hands the agent's execute data to all calls, and each call one item of its own.
		const executeData = { node: { name: 'Agent' } };
		const call = (json: { name: string }) => async () => {
			let failure: unknown;
			await create({
				node: {
					...new AgencyShiftSchedules(),
					async execute(this: IExecuteFunctions) {
						const ctx = Object.create(this, {
							getExecuteData: { value: () => executeData },
							getInputData: { value: () => [{ json }] },
						}) as IExecuteFunctions;
						return [await run(ctx, shiftSchedules, false)];
					},
				},
				items: [json],
				node$: retry,
			}).then(({ error }) => (failure = error));
			return failure;
		};
		strike([2, { fault: 'resetAfter' }]);
		const first = call({ name: 'row 0' });
		const second = call({ name: 'row 1' });
		const third = call({ name: 'row 1' });
		expect(await first()).toBeUndefined();
		expect(await second()).toMatchObject({ message: expect.stringMatching(/No answer/) });
		expect(await third()).toBeUndefined();
		// Twice, since the agent asked twice; its first call was tried three times and sent once.
		expect(inTheBooks()).toEqual({ 'row 0': 1, 'row 1': 2 });
	});
});

/** The node, and what it hands to n8n, which shows nothing of a cancelled node. */
function watched() {
	const node = new AgencyShiftSchedules();
	const seen: IDataObject[] = [];
	return {
		seen,
		node: {
			...node,
			async execute(this: IExecuteFunctions) {
				const output = await node.execute.call(this);
				seen.push(...output[0]!.map(({ json }) => json));
				return output;
			},
		},
	};
}

test('cancelling ends waits and requests at once, and sends nothing more', async () => {
	sandbox.faults.set([{ fault: 'refuse', status: 429, retryAfter: 3600, times: 1 }]);
	const cancel = new AbortController();
	const push = arrivals.push.bind(arrivals);
	arrivals.push = (operation) => {
		if (operation === 'createShiftSchedule') setTimeout(() => cancel.abort(), 50);
		return push(operation);
	};
	// Ends, although the service asked to wait for an hour.
	await create({
		items: names(5),
		cancel: cancel.signal,
		parameters: { options: { parallelRequests: 1, maxWait: 100_000 } },
	}).catch(() => {});
	expect(arrivals.filter((operation) => operation === 'createShiftSchedule')).toHaveLength(1);
	expect(inTheBooks()).toEqual({});
});

test('a request that cancelling cuts off stays in doubt', async () => {
	sandbox.faults.set([{ fault: 'delayBefore', milliseconds: 3_600_000 }]);
	const cancel = new AbortController();
	const push = arrivals.push.bind(arrivals);
	arrivals.push = (operation) => {
		if (operation === 'createShiftSchedule') setImmediate(() => cancel.abort());
		return push(operation);
	};
	const { node, seen } = watched();
	await create({
		node,
		items: names(2),
		cancel: cancel.signal,
		node$: { onError: 'continueRegularOutput' },
	}).catch(() => {});
	expect(seen).toMatchObject([
		{ message: 'The execution was cancelled [item 0]', error: { outcome: 'unknown' } },
		{ error: { outcome: 'notSent' } },
	]);
});
