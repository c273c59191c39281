// The pictures of the sandbox's page, while an example runs against it.
import type { Browser } from 'playwright-core';

import { everyOperationExample } from '../../n8n-full/n8nWithSandbox.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { openEngine } from '../demo/run.mts';
import { takeBoth } from './camera.mts';

export async function takeSandboxPage(browser: Browser): Promise<void> {
	const sandbox = await startSandbox({
		faults: [
			{ fault: 'refuse', probability: 0.2, status: 429, retryAfter: 1 },
			{ fault: 'delayBefore', probability: 0.25, milliseconds: 150 },
		],
	});
	try {
		const engine = await openEngine(sandbox.url);
		await engine.run(everyOperationExample);
		engine.close();
		// The camera brings a style of its own along, which the page's policy does not allow.
		const context = await browser.newContext({
			viewport: { width: 1280, height: 860 },
			bypassCSP: true,
		});
		const page = await context.newPage();
		await page.goto(sandbox.url);
		await page.getByRole('switch', { name: 'refuse' }).focus();
		await takeBoth(page, 'sandbox-page');
		await page.goto(`${sandbox.url}/?records=vendor&record=106#records`);
		await takeBoth(page, 'sandbox-records');
	} finally {
		await sandbox.close();
	}
}
