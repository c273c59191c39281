// What creating has in common: the parent must exist, the body is stored, the answer names the new record.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { badRequest } from '../errorResponses.mts';
import type { RecordData, RecordStore } from '../recordStore.mts';

export interface Creation {
	kind: string;
	/** Kind of the record the new one belongs to, and the path parameter with its ID. */
	parent?: { kind: string; parameter: string };
}

/**
 * Stores the body of a request.
 * @returns the new record's ID
 * @throws Refusal (400) when the parent does not exist
 */
export function create(
	store: RecordStore,
	{ params, body }: FastifyRequest,
	{ kind, parent }: Creation,
): number {
	if (!parent) return store.insert(kind, body as RecordData);
	const { parameter } = parent;
	const parentId = (params as Record<string, number>)[parameter]!;
	if (!store.get(parent.kind, parentId)) {
		throw badRequest({ field: parameter, message: `no ${parent.kind} has this ID` });
	}
	return store.insert(kind, { [parameter]: parentId, ...(body as RecordData) });
}

/** A handler that answers 201 with the new ID under a key, or without a body. */
export const creating =
	(store: RecordStore, creation: Creation, key?: string) =>
	(request: FastifyRequest, reply: FastifyReply) => {
		const id = create(store, request, creation);
		return reply.code(201).send(key && { [key]: id });
	};
