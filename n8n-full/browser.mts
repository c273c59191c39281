// Opens Chromium, signed in to a full n8n. It cannot reach anything outside this machine.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import type { FullN8n, N8nOwner } from './fullN8n.mts';
import { chromiumPath } from './installationPaths.mjs';

export { chromiumPath };

/** @throws Error when there is no Chromium */
export async function openBrowser(): Promise<Browser> {
	if (!chromiumPath) throw new Error('There is no Chromium on this machine');
	return await chromium.launch({
		executablePath: chromiumPath,
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
	});
}

/**
 * Opens a new page that is signed in to n8n. Its time zone is that of the examples.
 * @param options more options, such as the size of the page
 */
export async function openSignedInPage(
	browser: Browser,
	n8n: FullN8n,
	owner: N8nOwner,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		locale: 'en-US',
		timezoneId: 'America/Chicago',
		...options,
	});
	// The node panel asks the npm registry about community packages.
	await context.route(
		({ hostname }) => hostname !== '127.0.0.1',
		(route) => route.abort(),
	);
	await context.request.post(`${n8n.url}/rest/login`, {
		data: { emailOrLdapLoginId: owner.email, password: owner.password },
	});
	const page = await context.newPage();
	// A generous limit, because a loaded machine is slow.
	page.setDefaultTimeout(180_000);
	return page;
}
