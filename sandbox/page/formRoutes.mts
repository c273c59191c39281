// The page's forms: each has an address of its own, and leads back to the page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import {
	addRecord,
	changeRecord,
	editableKinds,
	removeRecord,
	type EditableKind,
} from '../recordEdits.mts';
import { readDialects } from '../dialects.mts';
import { readFaultPlan } from '../readFaultPlan.mts';
import { dialectsFrom } from './dialectsSection.mts';
import { planFrom } from './faultsSection.mts';
import type { SandboxState } from './sandboxState.mts';
import { titleOfKind } from './recordKinds.mts';
import { pageAddress } from './pageAddress.mts';

const formOf = ({ body }: FastifyRequest) =>
	body instanceof URLSearchParams ? body : new URLSearchParams();

/** Of the address of a record's form; one that adds a record has no ID. */
export interface RecordParams {
	kind: EditableKind;
	id: number;
}

interface RecordRequest {
	Params: RecordParams;
}

const params = {
	type: 'object',
	properties: { kind: { enum: editableKinds }, id: { type: 'integer' } },
};

/** @param onChange called after each change, with the message for the person who made it */
export function addFormRoutes(
	app: FastifyInstance,
	{ records, dialects, faults }: SandboxState,
	onChange: (message?: string) => void,
): void {
	const done = (reply: FastifyReply, message: string, address: string) => {
		onChange(message);
		return reply.redirect(address, 303);
	};

	app.get('/sandbox/faults', () => ({ plan: faults.rules, struck: faults.struck }));
	app.put('/sandbox/faults', ({ body }) => {
		faults.set(readFaultPlan(body));
		onChange();
		return { plan: faults.rules };
	});
	app.post('/sandbox/faults', (request, reply) => {
		faults.change(planFrom(formOf(request), faults.rules));
		return done(reply, `Faults that are on: ${faults.rules.length}`, '/#faults');
	});

	app.get('/sandbox/dialects', () => dialects);
	app.put('/sandbox/dialects', ({ body }) => {
		Object.assign(dialects, readDialects(body as object));
		onChange();
		return dialects;
	});
	app.post('/sandbox/dialects', (request, reply) => {
		Object.assign(dialects, dialectsFrom(formOf(request)));
		return done(reply, 'The dialects are set', '/#dialects');
	});

	const address = '/sandbox/records/:kind';
	const options = { schema: { params } };
	const listOf = (kind: string) => pageAddress({ kind, offset: 0 }, 'records');
	app.post<RecordRequest>(address, options, (request, reply) => {
		const { kind } = request.params;
		const id = addRecord(records, kind, Object.fromEntries(formOf(request)));
		return done(reply, `${titleOfKind(kind)}: ${id} was added`, listOf(kind));
	});
	app.post<RecordRequest>(`${address}/:id`, options, (request, reply) => {
		const { kind, id } = request.params;
		changeRecord(records, kind, id, Object.fromEntries(formOf(request)));
		return done(reply, `${titleOfKind(kind)}: ${id} was changed`, listOf(kind));
	});
	app.post<RecordRequest>(`${address}/:id/remove`, options, (request, reply) => {
		const { kind, id } = request.params;
		removeRecord(records, kind, id);
		return done(reply, `${titleOfKind(kind)}: ${id} was removed`, listOf(kind));
	});
}
