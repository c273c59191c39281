// The trigger with changed settings, and with little time. test/simulation shows that it never loses a change, whatever
// fails, moves or dies.
import { addRecord } from '../../../sandbox/recordEdits.mts';
import { told, useVendorTrigger } from './vendorTrigger.cts';

const { sandbox, started, change } = useVendorTrigger();

test.each([true, false])(
	'a restart repeats no item of an unwatched list (polled since: %s)',
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

test.each([[60_000.5], [1e12], [Infinity]])('a poll may have a budget of %d ms', async (budget) => {
	const trigger = await started();
	const timer = jest.spyOn(AbortSignal, 'timeout');
	trigger.budget = budget;
	change(101, 'Changed');
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	expect(trigger.errors).toEqual([]);
	// A useless timer would stay for weeks.
	for (const [milliseconds] of timer.mock.calls) expect(milliseconds).toBeLessThan(3_600_000);
});

test("a poll ends within n8n's time budget", async () => {
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
