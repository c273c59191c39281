// The pictures of the sandbox's page, after every operation's example ran against it.
import type { Browser } from 'playwright-core';

import { credentialStoreWith, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { DocumentedPackage } from '../docs/package.mts';
import { takeBoth } from './camera.mts';

export async function takeSandboxPage(
	browser: Browser,
	{ nodes, ...parts }: DocumentedPackage,
): Promise<void> {
	const sandbox = await startSandbox({
		faults: [
			{ fault: 'refuse', probability: 0.2, status: 429, retryAfter: 1 },
			{ fault: 'delayBefore', probability: 0.25, milliseconds: 150 },
		],
	});
	try {
		const credentials = credentialStoreWith(sandboxCredential(sandbox.url));
		for (const { node } of nodes.flatMap(({ operations }) => operations)) {
			await runWorkflow(singleNodeWorkflow(node), { ...parts, credentials });
		}
		// The page's policy would forbid the camera's own style.
		const context = await browser.newContext({
			viewport: { width: 1280, height: 860 },
			bypassCSP: true,
		});
		const page = await context.newPage();
		await page.goto(sandbox.url);
		await page.getByRole('switch', { name: /^returns status 429 without/ }).focus();
		await takeBoth(page, 'sandbox-page');
		await page.goto(`${sandbox.url}/?records=vendor&record=106#records`);
		await takeBoth(page, 'sandbox-records');
	} finally {
		await sandbox.close();
	}
}
