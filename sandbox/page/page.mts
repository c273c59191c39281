// The sandbox in a browser, under addresses that the API spec does not have: / and /sandbox/….
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type {
	FastifyError,
	FastifyInstance,
	FastifyPluginAsync,
	FastifyReply,
	FastifyRequest,
} from 'fastify';

import { changeableSecrets } from '../accounts.mts';
import { ErrorResponse } from '../errorResponses.mts';
import { readFaultPlan } from '../readFaultPlan.mts';
import {
	addRecord,
	editableKinds,
	removeRecord,
	replaceRecord,
	type EditableKind,
} from '../recordEdits.mts';
import { documentOf } from './document.mts';
import { LiveUpdates, type SandboxState } from './live.mts';
import { dialectsFrom, planFrom } from './rehearsal.mts';
import { addressOf, viewOf, type View } from './view.mts';

const ownFile = (name: string) => join(import.meta.dirname, name);
const pico = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css');

/**
 * The page's resources by their names under /sandbox/, each with its source files. The style sheets are combined: Pico
 * alone requests pictures that the security policy forbids.
 */
const files = [
	{ name: 'page.css', paths: [pico, ownFile('page.css')], mediaType: 'text/css' },
	{ name: 'page.js', paths: [ownFile('page.js')], mediaType: 'text/javascript' },
	{ name: 'page.svg', paths: [ownFile('page.svg')], mediaType: 'image/svg+xml' },
];

/**
 * Whether a page of another origin sent the request. Clients other than browsers send no origin. Sec-Fetch-Site: W3C,
 * Fetch Metadata; Origin: RFC 6454 §7.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
	const { host, origin, 'sec-fetch-site': site = 'none' } = headers;
	return (
		!['same-origin', 'none'].includes(String(site)) ||
		(origin !== undefined && origin !== `http://${host}`)
	);
}

/**
 * The page can change the sandbox's data, so only browsers on this machine may use it, and no other site.
 * @throws ErrorResponse (403) for a request from another site, except for a followed link
 */
async function secure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
	reply.headers({
		'Content-Security-Policy':
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		'X-Content-Type-Options': 'nosniff',
		'Cross-Origin-Resource-Policy': 'same-origin',
		// With no-referrer, the browser would name "null" as the origin of the page's own forms.
		'Referrer-Policy': 'same-origin',
		'Cache-Control': 'no-store',
	});
	const isLink = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
	if (!isLink && isFromElsewhere(request)) {
		throw new ErrorResponse(403, { errors: 'The sandbox accepts nothing from other sites' });
	}
}

const formOf = ({ body }: FastifyRequest) =>
	body instanceof URLSearchParams ? body : new URLSearchParams();

/** @throws TypeError if the form does not contain JSON; its message is meant for people */
function recordIn(request: FastifyRequest): unknown {
	try {
		return JSON.parse(formOf(request).get('json') ?? '');
	} catch (error) {
		throw new TypeError(`The record is not JSON: ${(error as Error).message}`);
	}
}

/** The query of the address of a record's form. Without an ID, the form adds a record. */
interface RecordParams {
	kind: EditableKind;
	id: number;
}

/** A record's form is addressed by its path; every other view is in the query. */
function requestedView({ url, params }: FastifyRequest): View {
	const { kind, id: record = 'new' } = params as Partial<RecordParams>;
	const view = viewOf(new URL(url, 'http://sandbox').searchParams);
	return kind === undefined ? view : { ...view, kind, record };
}

/** Not under the name that the browser used: another program may resolve `localhost` differently. */
const sandboxUrl = ({ socket }: FastifyRequest) => `http://127.0.0.1:${socket.localPort}`;

/**
 * Adds the routes that change faults, dialects, records and secrets: the page's forms, which redirect to the page, and
 * JSON for faults.
 * @param onChange called after each change, with the message for the person who made it
 */
function addChanges(
	app: FastifyInstance,
	{ records, accounts, dialects, faults }: SandboxState,
	onChange: (message?: string) => void,
): void {
	app.get('/sandbox/faults', () => ({ plan: faults.rules, struck: faults.struck }));
	app.put('/sandbox/faults', ({ body }) => {
		faults.set(readFaultPlan(body));
		onChange();
		return { plan: faults.rules };
	});

	const params = {
		type: 'object',
		properties: { kind: { enum: editableKinds }, id: { type: 'integer' } },
	};
	/** @param change returns the message */
	const form = (
		path: string,
		part: string,
		change: (request: FastifyRequest, params: RecordParams) => string,
	) =>
		app.post<{ Params: RecordParams }>(path, { schema: { params } }, (request, reply) => {
			onChange(change(request, request.params));
			return reply.redirect(addressOf({ kind: request.params.kind ?? 'vendor' }, part), 303);
		});
	form('/sandbox/faults', 'faults', (request) => {
		faults.set(planFrom(formOf(request), faults.rules));
		return `Faults on: ${faults.rules.length}`;
	});
	form('/sandbox/dialects', 'dialects', (request) => {
		Object.assign(dialects, dialectsFrom(formOf(request)));
		return 'Dialects saved';
	});
	for (const name of changeableSecrets) {
		form(`/sandbox/credential/${name}`, 'credential', () => {
			return `The service now takes ${accounts.changeSecret(name)}`;
		});
	}
	const record = '/sandbox/records/:kind';
	form(record, 'records', (request, { kind }) => {
		return `Record ${addRecord(records, kind, recordIn(request))} added`;
	});
	form(`${record}/:id`, 'records', (request, { kind, id }) => {
		replaceRecord(records, kind, id, recordIn(request));
		return `Record ${id} saved`;
	});
	form(`${record}/:id/remove`, 'records', (_request, { kind, id }) => {
		removeRecord(records, kind, id);
		return `Record ${id} removed`;
	});
}

/** A Fastify plugin next to the service: its checks and hooks leave the service alone. */
export const page =
	(state: SandboxState): FastifyPluginAsync =>
	async (app) => {
		const live = new LiveUpdates(state);
		/** About the last form; shown once, on the page that is requested next. */
		let message = '';

		app.addHook('onRequest', secure);
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, new URLSearchParams(String(body))),
		);
		app.setErrorHandler(async (error: FastifyError | ErrorResponse | TypeError, request, reply) => {
			if (error instanceof ErrorResponse) return await reply.code(error.status).send(error.body);
			if (!(error instanceof TypeError)) throw error;
			const { body: form } = request;
			reply.code(400);
			if (!(form instanceof URLSearchParams)) return await reply.send({ errors: error.message });
			const last = { message: error.message, json: form.get('json') ?? undefined };
			const text = documentOf(state, requestedView(request), sandboxUrl(request), last);
			return await reply.type('text/html').send(text);
		});

		for (const { name, paths, mediaType } of files) {
			const content = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
			app.get(`/sandbox/${name}`, (_request, reply) => reply.type(mediaType).send(content));
		}
		app.get('/', (request, reply) => {
			const text = documentOf(state, requestedView(request), sandboxUrl(request), { message });
			message = '';
			return reply.type('text/html').send(text);
		});
		app.get('/sandbox/events', (request, reply) => {
			const { raw } = reply;
			for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value!);
			live.open(requestedView(request), raw);
			reply.hijack();
		});
		addChanges(app, state, (text) => {
			message = text ?? message;
			live.changed();
		});
	};
