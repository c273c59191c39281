// n8n's forms without a browser: what is sent when a person submits one, and what its last page says.
import { setTimeout as delay } from 'node:timers/promises';

import type { FullN8n } from './n8n.mts';

/** A file as a browser sends it. */
export const fileOf = (
	name: string,
	type: string,
	content: string | Uint8Array<ArrayBuffer>,
): File => new File([content], name, { type });

/**
 * Submits a published form.
 * @param path of the form, from its options
 * @param values what is filled in, by field in the order of the form; several files for a field of files
 */
export async function submitForm(
	{ url }: FullN8n,
	path: string,
	values: ReadonlyArray<string | File | readonly File[]>,
): Promise<Response> {
	const body = new FormData();
	for (const [field, value] of values.entries()) {
		for (const part of Array.isArray(value) ? (value as File[]) : [value as string | File]) {
			body.append(`field-${field}`, part);
		}
	}
	return await fetch(`${url}/form/${path}`, { method: 'POST', body });
}

export interface Ending {
	title: string;
	message: string;
	/** What the browser is given to keep, by name. */
	files: Record<string, string>;
}

const inTag = (page: string, tag: string): string =>
	new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(page.slice(page.indexOf('<body')))?.[1] ?? '';

interface PageFile {
	fileName: string;
	data: string | { data: number[] };
}

function filesOf(page: string): Ending['files'] {
	const [, encoded = '%5B%5D'] = /decodeURIComponent\("([^"]*)"\)/.exec(page) ?? [];
	const files = JSON.parse(decodeURIComponent(encoded)) as PageFile[];
	return Object.fromEntries(
		files.map(({ fileName, data }) => [
			fileName,
			Buffer.from(typeof data === 'string' ? data : data.data).toString(),
		]),
	);
}

/** Waits as the form does, until the run has come to a page. */
async function untilWaiting(page: string): Promise<void> {
	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	const deadline = Date.now() + 30_000;
	for (;;) {
		const now = await (await fetch(status)).text();
		if (now.trim() === 'form-waiting') return;
		if (Date.now() > deadline) throw new Error(`The form has no last page, the run is ${now}`);
		await delay(50);
	}
}

/**
 * Opens the page that a form ends with, and lets the run go on, as the page does by itself.
 * @param submitted n8n's answer to the form, which names the page
 * @throws Error when there is no such page
 */
export async function endingOf(submitted: Response): Promise<Ending> {
	const { formWaitingUrl } = (await submitted.json()) as { formWaitingUrl: string };
	await untilWaiting(formWaitingUrl);
	const page = await (await fetch(formWaitingUrl)).text();
	await fetch(formWaitingUrl, { method: 'POST' });
	return { title: inTag(page, 'h1'), message: inTag(page, 'p'), files: filesOf(page) };
}
