// The editor as a person uses it, in a real browser: find the node, fill in the form, run it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { credentialId, example, openStation, owner, type Station } from './station.mts';

const executablePath = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
].find((path) => existsSync(path));
const skip = executablePath ? false : 'no Chromium on this machine';

let station: Station;
let stop: (() => Promise<void>) | undefined;
let browser: BrowserContext | undefined;
let page: Page;
const pageErrors: string[] = [];

const byId = (id: string) => `[data-test-id="${id}"]`;
const node = (name: string) => page.locator(byId('canvas-node')).filter({ hasText: name });

before(
	async () => {
		if (skip) return;
		station = await openStation(15_688);
		const { n8n, credential } = station;
		await n8n.import('credentials', [credential(credentialId, 'authorizationCode')]);
		await n8n.import('workflow', [example]);
		stop = await n8n.start();
		await n8n.session(owner);
		browser = await chromium.launchPersistentContext('', {
			executablePath,
			viewport: { width: 1440, height: 900 },
			args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
		});
		// The node panel asks the npm registry about community packages.
		await browser.route(
			({ hostname }) => hostname !== '127.0.0.1',
			(route) => route.abort(),
		);
		await browser.request.post(`${n8n.url}/rest/login`, {
			data: { emailOrLdapLoginId: owner.email, password: owner.password },
		});
		page = await browser.newPage();
		page.setDefaultTimeout(30_000);
		page.on('pageerror', ({ message }) => pageErrors.push(message));
	},
	{ timeout: 20 * 60_000 },
);
after(async () => {
	await browser?.close();
	await stop?.();
	await station?.close();
});

/** With PICTURES=<folder>, keeps what is seen. */
async function picture(name: string): Promise<void> {
	const folder = process.env.PICTURES;
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`) });
}

void test('the example runs with its pinned rows and file', { skip }, async () => {
	await page.goto(`${station.n8n.url}/workflow/${example.id}`);
	await node('Week Plan').waitFor();
	await page.click(byId('execute-workflow-button'));
	for (const { name } of example.nodes.slice(1)) {
		await node(name).locator(byId('canvas-node-status-success')).waitFor();
	}
	await picture('example-workflow');
	assert.equal(station.sandbox.store.count('shiftSchedule'), 7);
	assert.equal(station.sandbox.store.count('file'), 1);
	assert.deepEqual(pageErrors, []);
});

void test('a person finds the node, fills in the form and runs the step', { skip }, async () => {
	await page.goto(`${station.n8n.url}/workflow/new`);
	await page.click(byId('canvas-plus-button'));
	await page.locator(byId('node-creator-search-bar')).fill('supplier');
	const found = page.locator(byId('node-creator-item-name'));
	await found.filter({ hasText: /^\s*Agency Vendors\s*$/ }).click();
	const action = found.filter({ hasText: 'Get many vendors' });
	await action.click();
	await page.waitForSelector(byId('ndv'));
	await page
		.locator(`${byId('parameter-input-limit')} input`)
		.first()
		.fill('5');
	await page.keyboard.press('Tab');
	await page.click(byId('node-execute-button'));
	const count = page.locator(`${byId('output-panel')} ${byId('ndv-items-count')}`);
	await count.waitFor();
	await picture('get-many-vendors');
	assert.match(await count.innerText(), /^5 items/);
	assert.deepEqual(pageErrors, []);
});
