// Submits n8n's forms without a browser, and reads the pages that follow.
import type { FullN8n } from './fullN8n.mts';
import { waitUntilDefined } from './waitUntilDefined.mts';

/** @returns a file as a browser sends it */
export const formFile = (
	name: string,
	type: string,
	content: string | Uint8Array<ArrayBuffer>,
): File => new File([content], name, { type });

/** The values of the form's fields, in order. A file field takes several files. */
export type FormValues = ReadonlyArray<string | File | readonly File[]>;

async function submit(url: string, values: FormValues): Promise<Response> {
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
 * @param path the form's path, from its options
 */
export const submitForm = ({ url }: FullN8n, path: string, values: FormValues): Promise<Response> =>
	submit(`${url}/form/${path}`, values);

export interface FormEnding {
	title: string;
	message: string;
	/** The files that the browser downloads, by name. */
	files: Record<string, Buffer>;
}

const inTag = (page: string, tag: string): string =>
	new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(page.slice(page.indexOf('<body')))?.[1] ?? '';

interface PageFile {
	fileName: string;
	data: string | { data: number[] };
}

function filesOf(page: string): FormEnding['files'] {
	const [, encoded = '%5B%5D'] = /decodeURIComponent\("([^"]*)"\)/.exec(page) ?? [];
	const files = JSON.parse(decodeURIComponent(encoded)) as PageFile[];
	return Object.fromEntries(
		files.map(({ fileName, data }) => [
			fileName,
			typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.data),
		]),
	);
}

/** Waits, as the form itself does, for the execution to reach its next page. */
async function untilWaiting(page: string): Promise<void> {
	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	await waitUntilDefined(async () => {
		const now = await (await fetch(status)).text();
		return now.trim() === 'form-waiting' || undefined;
	}, 'the next page of the form');
}

interface Page {
	url: string;
	html: string;
}

/**
 * Opens the next page of a form.
 * @param submitted n8n's response to the form, which names the page
 * @throws Error if there is no such page
 */
async function pageAfter(submitted: Response): Promise<Page> {
	const { formWaitingUrl: url } = (await submitted.json()) as { formWaitingUrl: string };
	await untilWaiting(url);
	return { url, html: await (await fetch(url)).text() };
}

/**
 * Opens the last page of a form and lets the execution continue, as the page itself does.
 * @param submitted n8n's response to the form, which names the page
 * @throws Error if there is no such page
 */
export async function openFormEnding(submitted: Response): Promise<FormEnding> {
	const { url, html } = await pageAfter(submitted);
	await fetch(url, { method: 'POST' });
	return { title: inTag(html, 'h1'), message: inTag(html, 'p'), files: filesOf(html) };
}

/** A page of a form that asks more questions. */
export interface FormQuestions {
	/** The labels of the fields, in order. */
	labels: string[];
	/** @param values the values of the fields, in the same order */
	submit: (values: FormValues) => Promise<Response>;
}

/**
 * Opens the next page of a form, which asks more questions.
 * @param submitted n8n's response to the form, which names the page
 * @throws Error if there is no such page
 */
export async function openFormQuestions(submitted: Response): Promise<FormQuestions> {
	const { url, html } = await pageAfter(submitted);
	const labels = [...html.matchAll(/<label[^>]*>([^<]*)<\/label>/g)].map(([, label]) =>
		label!.trim(),
	);
	return { labels, submit: (values) => submit(url, values) };
}
