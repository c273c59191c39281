// A full n8n with a sandbox, open in a browser, with the person signed in.
import type { Browser, BrowserContextOptions } from 'playwright-core';

import { openBrowser, openSignedInPage } from './browser.mts';
import { Editor } from './editor.mts';
import type { N8nSession } from './fullN8n.mts';
import { n8nOwner, openN8nWithSandbox, type N8nWithSandbox } from './n8nWithSandbox.mts';

export interface EditorWithSandbox extends N8nWithSandbox {
	session: N8nSession;
	browser: Browser;
	editor: Editor;
}

/**
 * @param port n8n's port; the next one is used too
 * @param sandboxPort the sandbox's port; any free one by default
 * @param page options of the page, such as its size
 */
export async function openEditorWithSandbox(
	port: number,
	sandboxPort?: number,
	page?: BrowserContextOptions,
): Promise<EditorWithSandbox> {
	await using opening = new AsyncDisposableStack();
	const station = await openN8nWithSandbox(port, sandboxPort);
	opening.defer(station.close);
	const session = await station.start();
	const browser = await openBrowser();
	opening.defer(() => browser.close());
	const { n8n } = station;
	const editor = new Editor(await openSignedInPage(browser, n8n, n8nOwner, page), n8n.url);
	const opened = opening.move();
	return { ...station, session, browser, editor, close: () => opened.disposeAsync() };
}
