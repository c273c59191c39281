// The sandbox's page as a person uses it, in a real browser: with mouse, with keyboard, without scripts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, test } from 'node:test';

import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { chromiumPath, openBrowser } from '../../n8n-full/browser.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { mixedFaults } from '../../sandbox/mixedFaults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { keyHeader, signIn } from '../harness/client.mts';

const skip = chromiumPath ? false : 'no Chromium on this machine';

let browser: Browser | undefined;
let sandbox: Sandbox;
/** The browser's complaints. */
let complaints: string[];

before(async () => {
	if (!skip) browser = await openBrowser();
});
after(() => browser?.close());
beforeEach(async () => {
	sandbox = await startSandbox();
	complaints = [];
});
afterEach(async () => {
	for (const context of browser?.contexts() ?? []) await context.close();
	await sandbox.close();
	assert.deepEqual(complaints, []);
});

async function open(address = '/', options: BrowserContextOptions = {}): Promise<Page> {
	const context = await browser!.newContext(options);
	const page = await context.newPage();
	// A generous limit, because a loaded machine is slow.
	page.setDefaultTimeout(180_000);
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	page.on('request', (request) => {
		if (!request.url().startsWith(sandbox.url)) complaints.push(request.url());
	});
	await page.goto(sandbox.url + address);
	return page;
}

async function createShift(name: string): Promise<number> {
	const response = await fetch(`${sandbox.url}/agencyshiftschedules/shiftschedules`, {
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			Authorization: await signIn(sandbox.url),
			...keyHeader,
		},
		body: JSON.stringify({ name }),
	});
	return response.status;
}

/** Only here, so that the other cases run under the page's own script policy. */
const axe = skip ? '' : readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** Accessibility problems: the broken rules of axe-core, each with the elements that break it. */
async function accessibilityProblems(page: Page): Promise<string[]> {
	await page.evaluate(axe);
	const { violations } = await page.evaluate<AxeResults>('axe.run()');
	return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const task = (name: string, work: () => Promise<void>): void => void test(name, { skip }, work);

task('requests and records appear while somebody looks, and the focus stays', async () => {
	const page = await open('/?records=shiftSchedule');
	const chosen = page.getByRole('link', { name: 'Shift schedules' });
	await chosen.focus();
	assert.equal(await createShift('The night watch'), 201);
	await page.getByRole('cell', { name: 'The night watch' }).waitFor();
	const row = page.getByRole('row', { name: 'shiftschedules' });
	await row.getByText('201').waitFor();
	await page.getByRole('link', { name: 'Shift schedules 1', exact: true }).waitFor();
	await chosen.and(page.locator(':focus')).waitFor();
});

task('a fault is switched on and set, with the keyboard alone', async () => {
	const other: FaultRule = { fault: 'failAfter', operation: 'uploadFile', probability: 0.005 };
	sandbox.faults.set([other]);
	const page = await open();
	const message = page.getByRole('status');
	const fault = page.getByRole('switch', { name: /^returns status 503 without/ });
	await fault.focus();
	await page.keyboard.press('Space');
	await message.getByText('Faults on: 2').waitFor();
	assert.equal(await createShift('A'), 503);
	await page.getByText('1 ×').waitFor();
	await fault.and(page.locator(':focus')).waitFor();

	await page.keyboard.press('Tab');
	await page.keyboard.type('409');
	const answered = () =>
		page.waitForResponse((response) => response.url().endsWith('/sandbox/faults'));
	await Promise.all([answered(), page.keyboard.press('Tab')]);
	assert.equal(await createShift('A'), 409);
	await Promise.all([answered(), page.keyboard.press('ArrowLeft')]);
	await page.getByText('99 %').waitFor();
	assert.deepEqual(sandbox.faults.rules, [
		other,
		{ fault: 'refuse', status: 409, probability: 0.99 },
	]);
});

for (const javaScriptEnabled of [true, false]) {
	const how = javaScriptEnabled ? 'with' : 'without';

	task(`a vendor is added, changed and removed ${how} scripts`, async () => {
		const page = await open('/', { javaScriptEnabled });
		await page.getByRole('link', { name: 'Add a record' }).click();
		const json = page.getByLabel('Record as JSON');
		await json.fill('{ "name": "Acme", "zip": "many" }');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByText('zip must be integer').waitFor();
		// The browser's own message about the status 400.
		complaints.length = 0;
		await json.fill((await json.inputValue()).replace('"many"', '12345'));
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByText('Record 531 added').waitFor();
		await page.getByRole('link', { name: 'Edit 531' }).click();
		const data = JSON.parse(await json.inputValue()) as object;
		assert.deepEqual(data, { name: 'Acme', zip: 12345 });
		await json.fill('{ "name": "Acme & Sons" }');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByRole('cell', { name: 'Acme & Sons' }).waitFor();
		// Omitted values are gone.
		assert.deepEqual(sandbox.records.get('vendor', 531)!.data, { name: 'Acme & Sons' });
		await page.getByRole('link', { name: 'Edit 531' }).click();
		await page.getByRole('button', { name: 'Remove' }).click();
		await page.getByText('Record 531 removed').waitFor();
		assert.equal(await page.getByRole('cell', { name: 'Acme & Sons' }).count(), 0);
	});
}

const looks: BrowserContextOptions[] = [
	{ colorScheme: 'light' },
	{ colorScheme: 'dark', viewport: { width: 700, height: 800 } },
	{ colorScheme: 'light', viewport: { width: 390, height: 800 } },
];
for (const look of looks) {
	task(
		`nothing hinders an eye, a keyboard or a screen reader: ${JSON.stringify(look)}`,
		async () => {
			sandbox.faults.set([
				{ fault: 'refuse', times: 1, operation: 'createShiftSchedule' },
				...mixedFaults,
			]);
			assert.equal(await createShift('x'.repeat(300)), 503);
			const page = await open('/?records=vendor&record=105&request=2', look);
			const across = await page.evaluate<number>(
				'document.documentElement.scrollWidth - window.innerWidth',
			);
			assert.ok(across <= 0, `${across} pixels stand beyond the edge`);
			assert.deepEqual(await accessibilityProblems(page), []);
		},
	);
}
