// The sandbox in a browser, under addresses that the interface does not have: / and /sandbox/….
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { FastifyError, FastifyPluginAsync, FastifyRequest } from 'fastify';

import { ErrorResponse } from '../errorResponses.mts';
import { renderPage } from './renderPage.mts';
import { addFormRoutes, type RecordParams } from './formRoutes.mts';
import { securePage } from './pageSecurity.mts';
import { LiveUpdates } from './liveUpdates.mts';
import type { SandboxState } from './sandboxState.mts';
import { readPageQuery, type PageQuery } from './pageAddress.mts';

const browserFile = (name: string) => join(import.meta.dirname, 'browser', name);
const pico = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css');

/**
 * What the page loads, by its name under /sandbox/, and the files that it is made of. The style sheets are one: Pico
 * without the page's changes asks for pictures that the security policy does not allow.
 */
const files = [
	{ name: 'page.css', paths: [pico, browserFile('page.css')], mediaType: 'text/css' },
	{ name: 'page.js', paths: [browserFile('page.js')], mediaType: 'text/javascript' },
	{ name: 'page.svg', paths: [browserFile('page.svg')], mediaType: 'image/svg+xml' },
];

/** A form of a record has its address, all else says in its query what is shown. */
function viewOf({ url, params }: FastifyRequest): PageQuery {
	const { kind, id = 'new' } = params as Partial<RecordParams>;
	if (kind !== undefined) return { kind, offset: 0, record: id };
	return readPageQuery(new URL(url, 'http://sandbox').searchParams);
}

/** Not by the name that the browser used: another program may take `localhost` for another address. */
const addressOf = ({ socket }: FastifyRequest) => `http://127.0.0.1:${socket.localPort}`;

/** A Fastify plugin beside the service: its checks and hooks do not concern the service. */
export const page =
	(state: SandboxState): FastifyPluginAsync =>
	async (app) => {
		const live = new LiveUpdates(state);
		/** What became of the last form; shown once, on the page that is requested next. */
		let said = '';

		app.addHook('onRequest', securePage);
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, new URLSearchParams(String(body))),
		);
		app.setErrorHandler(async (error: FastifyError | ErrorResponse | TypeError, request, reply) => {
			if (error instanceof ErrorResponse) return await reply.code(error.status).send(error.body);
			if (!(error instanceof TypeError)) throw error;
			reply.code(400);
			const { body: form } = request;
			if (!(form instanceof URLSearchParams)) return await reply.send({ errors: error.message });
			const said = error.message;
			const text = renderPage(state, viewOf(request), addressOf(request), { said, form });
			return await reply.type('text/html').send(text);
		});

		for (const { name, paths, mediaType } of files) {
			const content = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
			app.get(`/sandbox/${name}`, (_request, reply) => reply.type(mediaType).send(content));
		}
		app.get('/', (request, reply) => {
			const text = renderPage(state, viewOf(request), addressOf(request), { said });
			said = '';
			return reply.type('text/html').send(text);
		});
		app.get('/sandbox/events', (request, reply) => {
			const { raw } = reply;
			for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value!);
			if (!live.open(viewOf(request), raw)) {
				throw new ErrorResponse(503, { errors: 'Too many pages are open' });
			}
			reply.hijack();
		});

		addFormRoutes(app, state, (what) => {
			if (what !== undefined) said = what;
			live.changed();
		});
	};
