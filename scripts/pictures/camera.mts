// Takes pictures of the editor in light mode, and also in dark mode for pages that can choose.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { root } from '../docs/package.mts';

const folder = join(root, 'docs', 'pictures');

/** A part of the page, in pixels from its corner. */
export interface Frame {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Where something is on the page. */
export const frameOf = async (part: Locator): Promise<Frame> => (await part.boundingBox())!;

/**
 * Transient messages, n8n's shortcuts to neighbors, and the button next to a hovered trigger: noise in a picture.
 */
const noise = [
	'.el-notification',
	'[data-test-id="floating-nodes"]',
	'[data-test-id^="execute-workflow-button-"]',
];
const style = `${noise.join(', ')} { display: none !important; }`;

/**
 * Takes one picture.
 * @param name path in the folder of the pictures, without `.png`
 * @param clip the whole page when not given
 */
export async function take(page: Page, name: string, clip?: Frame): Promise<void> {
	const path = join(folder, `${name}.png`);
	mkdirSync(dirname(path), { recursive: true });
	await page.screenshot({ path, clip, style, animations: 'disabled', caret: 'hide' });
	console.log(`  ${name}.png`);
}

/** Takes a picture, and the same one in dark mode. */
export async function takeBoth(page: Page, name: string, clip?: Frame): Promise<void> {
	await take(page, name, clip);
	await page.emulateMedia({ colorScheme: 'dark' });
	await take(page, `${name}-dark`, clip);
	await page.emulateMedia({ colorScheme: 'light' });
}
