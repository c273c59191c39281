// The trigger when lists do not come whole or move while they are read, and when n8n crashes: what it never loses.
import { addRecord, changeRecord } from '../../../sandbox/recordEdits.mts';
import type { Crash } from '../../harness/polling';
import { told, useVendorTrigger } from './vendorTrigger';

const { sandbox, arrivals, newTrigger, started, change, add, remove } = useVendorTrigger();

describe('a list that does not come whole, or moves', () => {
	const always = { operation: 'listVendors' } as const;

	test.each([
		['refuse', 503],
		['cutOff', undefined],
		['emptyAnswer', undefined],
		['wrongShape', undefined],
		['webPage', undefined],
		['resetBefore', undefined],
	] as const)('%s: the error is shown, nothing is lost', async (fault, status) => {
		const trigger = await started({ options: { maxTries: 1 } });
		remove(102);
		change(101, 'Changed');
		const before = JSON.stringify(trigger.staticData);
		sandbox.faults.set([{ ...always, fault, ...(status && { status, retryAfter: 0 }) }]);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors).toHaveLength(1);
		expect(trigger.errors[0]!.message).not.toMatch(/item/);
		expect(JSON.stringify(trigger.staticData)).toBe(before);
		sandbox.faults.set([]);
		expect(told(await trigger.poll())).toEqual([
			['changed', 101, 'Changed'],
			['removed', 102],
		]);
	});

	test('rows that slip through between two pages are not said to be removed', async () => {
		const trigger = await started({ options: { parallelRequests: 1 } }, 50);
		let asked = 0;
		let id = 0;
		arrivals.on = (operation) => {
			// The first page is there: one row less before, one more after, and the count is the same.
			if (operation !== 'listVendors' || ++asked !== 2) return;
			remove(101);
			id = add('New');
		};
		expect(told(await trigger.poll())).toEqual([
			['added', id, 'New'],
			['removed', 101],
		]);
		expect(trigger.errors).toEqual([]);
	});

	test('a row that comes on two pages, since another came in before it, is not said to be two', async () => {
		for (let id = 110; id < 130; id++)
			changeRecord(sandbox.records, 'vendor', id, { city: 'Here' });
		const here = { filterBy: 'text', filter: 'city eq "Here"' };
		const trigger = await started({ ...here, options: { parallelRequests: 1 } }, 5);
		let asked = 0;
		arrivals.on = (operation) => {
			if (operation !== 'listVendors' || ++asked !== 2) return;
			changeRecord(sandbox.records, 'vendor', 101, { city: 'Here' });
		};
		const items = await trigger.poll();
		expect(items.map((item) => [item.changeType, item.departmentBusinessID])).toEqual([
			['added', 101],
		]);
		expect(trigger.errors).toEqual([]);
	});

	test('one that never holds still gives an error, and nothing wrong', async () => {
		const trigger = await started({ options: { parallelRequests: 1 } }, 50);
		let next = 110;
		arrivals.on = (operation) => {
			if (operation === 'listVendors') remove(next++);
		};
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/changed each of the 3 times/),
		]);
		arrivals.on = () => {};
		const items = await trigger.poll();
		expect(new Set(items.map(({ changeType }) => changeType))).toEqual(new Set(['removed']));
	});
});

describe('a crash', () => {
	test.each<[Crash, string[]]>([
		['execution', ['repeated']],
		['staticData', ['', '']],
		['both', ['']],
	])('that loses %s loses no change', async (lost, expected) => {
		const trigger = await started();
		change(101, 'Changed');
		await trigger.pollAndCrash(lost);
		add('While n8n was down');
		await trigger.restart();
		await trigger.poll();
		const ofFirst = trigger.executions.flat().filter((item) => item.departmentBusinessID === 101);
		expect(ofFirst.map(({ repeated }) => (repeated ? 'repeated' : ''))).toEqual(expected);
		expect(trigger.executions.flat().map(({ name }) => name)).toContain('While n8n was down');
		expect(await trigger.poll()).toEqual([]);
	});

	test('a restart repeats the last items once, marked, also without the service', async () => {
		const trigger = await started();
		change(101, 'Changed');
		await trigger.poll();
		sandbox.faults.set([{ fault: 'refuse', status: 503 }]);
		expect(told(await trigger.restart())).toEqual([['changed', 101, 'Changed', 'repeated']]);
		sandbox.faults.set([]);
		expect(await trigger.poll()).toEqual([]);
		await trigger.activate();
		expect(trigger.executions).toHaveLength(2);
	});

	test.each([[true], [false]])(
		'what was given of a list that is not watched any more is not repeated (polled between: %s)',
		async (polled) => {
			const trigger = await started();
			change(101, 'Changed');
			await trigger.poll();
			if (polled) {
				await trigger.activate({ resource: 'deviceCode' });
				addRecord(sandbox.records, 'deviceCode', { Element: 'dDevice.02', Code: 1 });
				expect(await trigger.poll()).toHaveLength(1);
			}
			await trigger.activate({ resource: 'infrastructureCategory' });
			expect(await trigger.restart()).toEqual([]);
			expect(await trigger.restart()).toEqual([]);
		},
	);

	test('nor in a process that finds another list watched', async () => {
		const trigger = await started();
		change(101, 'Changed');
		await trigger.poll();
		const next = newTrigger({ resource: 'deviceCode' });
		next.saved = structuredClone(trigger.saved);
		expect(JSON.stringify(next.saved)).toContain('Changed');
		await next.activate();
		await next.poll();
		expect(next.executions).toEqual([]);
		expect(next.errors).toEqual([]);
	});

	test('without a change since the activation nothing is repeated', async () => {
		const trigger = await started();
		expect(await trigger.restart()).toEqual([]);
	});
});

test('a poll that takes longer than the time to the next is not overtaken', async () => {
	const trigger = await started();
	change(101, 'Changed');
	await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
	expect(told(trigger.executions.flat())).toEqual([['changed', 101, 'Changed']]);
});

test.each([[60_000.5], [1e12], [Infinity]])('n8n may give a poll %d ms', async (budget) => {
	const trigger = await started();
	const timer = jest.spyOn(AbortSignal, 'timeout');
	trigger.budget = budget;
	change(101, 'Changed');
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	expect(trigger.errors).toEqual([]);
	// A timer that nobody needs would be there for weeks.
	for (const [milliseconds] of timer.mock.calls) expect(milliseconds).toBeLessThan(3_600_000);
});

test('it ends within the time that n8n gives a poll', async () => {
	const trigger = await started();
	change(101, 'Changed');
	trigger.budget = 300;
	sandbox.faults.set([{ fault: 'delayBefore', milliseconds: 3_600_000 }]);
	expect(await trigger.poll()).toEqual([]);
	expect(trigger.errors.map(({ message }) => message)).toEqual([
		expect.stringMatching(/took longer than the 0 seconds/),
	]);
	trigger.budget = 60_000;
	sandbox.faults.set([]);
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
});
