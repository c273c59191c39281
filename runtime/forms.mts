// n8n's forms without a browser: what is sent when a person submits one, and what its next pages say.
import { setTimeout as delay } from 'node:timers/promises';

import type { FullN8n } from './n8n.mts';

/** A file as a browser sends it. */
export const fileOf = (
	name: string,
	type: string,
	content: string | Uint8Array<ArrayBuffer>,
): File => new File([content], name, { type });

/** What is filled in, by field in the order of the form; several files for a field of files. */
export type FilledIn = ReadonlyArray<string | File | readonly File[]>;

async function submit(url: string, values: FilledIn): Promise<Response> {
	const body = new FormData();
	for (const [field, value] of values.entries()) {
		for (const part of Array.isArray(value) ? (value as File[]) : [value as string | File]) {
			body.append(`field-${field}`, part);
		}
	}
	return await fetch(url, { method: 'POST', body });
}

/**
 * Submits a published form.
 * @param path of the form, from its options
 */
export const submitForm = ({ url }: FullN8n, path: string, values: FilledIn): Promise<Response> =>
	submit(`${url}/form/${path}`, values);

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

interface Page {
	url: string;
	html: string;
}

/**
 * Opens the page that a form goes on with.
 * @param submitted n8n's answer to the form, which names the page
 * @throws Error when there is no such page
 */
async function pageAfter(submitted: Response): Promise<Page> {
	const { formWaitingUrl: url } = (await submitted.json()) as { formWaitingUrl: string };
	await untilWaiting(url);
	return { url, html: await (await fetch(url)).text() };
}

/**
 * Opens the page that a form ends with, and lets the run go on, as the page does by itself.
 * @param submitted n8n's answer to the form, which names the page
 * @throws Error when there is no such page
 */
export async function endingOf(submitted: Response): Promise<Ending> {
	const { url, html } = await pageAfter(submitted);
	await fetch(url, { method: 'POST' });
	return { title: inTag(html, 'h1'), message: inTag(html, 'p'), files: filesOf(html) };
}

/** A page with more questions. */
export interface Questions {
	/** What the fields are called, in their order. */
	labels: string[];
	/** @param values by label, in the same order */
	submit: (values: FilledIn) => Promise<Response>;
}

/**
 * Opens the page of questions that a form goes on with.
 * @param submitted n8n's answer to the form, which names the page
 * @throws Error when there is no such page
 */
export async function questionsOf(submitted: Response): Promise<Questions> {
	const { url, html } = await pageAfter(submitted);
	const labels = [...html.matchAll(/<label[^>]*>([^<]*)<\/label>/g)].map(([, label]) =>
		label!.trim(),
	);
	return { labels, submit: (values) => submit(url, values) };
}
