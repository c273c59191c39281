// What a browser sees of the sandbox, under addresses that the interface does not have: / and /sandbox/….
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

import {
	addRecord,
	changeRecord,
	editableKinds,
	removeRecord,
	type EditableKind,
} from '../books.mts';
import { readPlan } from '../plan.mts';
import { Refusal } from '../refusals.mts';
import { documentOf } from './document.mts';
import { planFrom } from './faults.mts';
import { guard } from './guard.mts';
import { Live } from './live.mts';
import type { Room } from './room.mts';
import { nameOf } from './shelves.mts';
import { addressOf, viewOf } from './view.mts';

const mediaTypes = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };

const queryOf = ({ url }: FastifyRequest) => new URL(url, 'http://sandbox').searchParams;

const formOf = ({ body }: FastifyRequest) =>
	body instanceof URLSearchParams ? body : new URLSearchParams();

interface BookRequest {
	Params: { kind: EditableKind; id: number };
}

const params = {
	type: 'object',
	properties: { kind: { enum: editableKinds }, id: { type: 'integer' } },
};

/** As a Fastify plugin, beside the service. */
export const page =
	(room: Room): FastifyPluginAsync =>
	async (app) => {
		const { store, accounts, faults } = room;
		const live = new Live(room);
		/** Said once, on the page that is read next. */
		let said = '';

		app.addHook('onRequest', guard);
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, new URLSearchParams(String(body))),
		);
		app.setErrorHandler(async (error: FastifyError | Refusal | TypeError, request, reply) => {
			if (error instanceof Refusal) return await reply.code(error.status).send(error.body);
			if (!(error instanceof TypeError)) throw error;
			reply.code(400);
			const isForm = request.body instanceof URLSearchParams;
			if (!isForm) return await reply.send({ errors: error.message });
			const view = viewOf(queryOf(request));
			return await reply.type('text/html').send(documentOf(room, view, error.message));
		});

		/** What a form did is said on the page that it leads to. */
		async function done(reply: FastifyReply, what: string, address: string): Promise<void> {
			said = what;
			live.changed();
			await reply.redirect(address, 303);
		}

		for (const [ending, mediaType] of Object.entries(mediaTypes)) {
			const text = readFileSync(join(import.meta.dirname, 'browser', `page.${ending}`));
			app.get(`/sandbox/page.${ending}`, (_request, reply) => reply.type(mediaType).send(text));
		}
		app.get('/', (request, reply) => {
			const text = documentOf(room, viewOf(queryOf(request)), said);
			said = '';
			return reply.type('text/html').send(text);
		});
		app.get('/sandbox/events', (request, reply) => {
			const { raw } = reply;
			for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value!);
			if (!live.follow(viewOf(queryOf(request)), raw)) {
				throw new Refusal(503, { errors: 'Too many pages are open' });
			}
			reply.hijack();
		});

		app.get('/sandbox/faults', () => ({ plan: faults.rules, struck: faults.struck }));
		app.put('/sandbox/faults', ({ body }) => {
			faults.set(readPlan(body));
			live.changed();
			return { plan: faults.rules };
		});
		app.post('/sandbox/faults', async (request, reply) => {
			faults.set(planFrom(formOf(request)));
			await done(reply, `Faults that are on: ${faults.rules.length}`, '/#faults');
		});
		app.post('/sandbox/tokens/revoke', async (_request, reply) => {
			accounts.revokeTokens();
			await done(reply, 'All tokens are revoked', '/#tokens');
		});

		const books = '/sandbox/books/:kind';
		const options = { schema: { params } };
		const listOf = (kind: string) => addressOf({ kind, offset: 0 }, 'records');
		app.post<BookRequest>(books, options, async (request, reply) => {
			const { kind } = request.params;
			const id = addRecord(store, kind, Object.fromEntries(formOf(request)));
			await done(reply, `${nameOf(kind)}: ${id} was added`, listOf(kind));
		});
		app.post<BookRequest>(`${books}/:id`, options, async (request, reply) => {
			const { kind, id } = request.params;
			changeRecord(store, kind, id, Object.fromEntries(formOf(request)));
			await done(reply, `${nameOf(kind)}: ${id} was changed`, listOf(kind));
		});
		app.post<BookRequest>(`${books}/:id/remove`, options, async (request, reply) => {
			const { kind, id } = request.params;
			removeRecord(store, kind, id);
			await done(reply, `${nameOf(kind)}: ${id} was removed`, listOf(kind));
		});
	};
