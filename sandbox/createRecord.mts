// What the operations that create a record have in common: the parent must exist, the body is stored, the
// response names the new record.
import type { FastifyRequest } from 'fastify';

import type { Handler } from './area.mts';
import { badRequest } from './errorResponses.mts';
import type { RecordData, RecordStore } from './recordStore.mts';

export interface NewRecord {
	kind: string;
	/** Kind of the record the new one belongs to, and the path parameter with its ID. */
	parent?: { kind: string; parameter: string };
}

/**
 * Stores the body of a request.
 * @returns the new record's ID
 * @throws ErrorResponse (400) when the parent does not exist
 */
export function createRecord(
	records: RecordStore,
	{ params, body }: FastifyRequest,
	{ kind, parent }: NewRecord,
): number {
	if (!parent) return records.insert(kind, body as RecordData);
	const { parameter } = parent;
	const parentId = (params as Record<string, number>)[parameter]!;
	if (!records.get(parent.kind, parentId)) {
		throw badRequest({ field: parameter, message: `no ${parent.kind} has this ID` });
	}
	return records.insert(kind, { [parameter]: parentId, ...(body as RecordData) });
}

/** @param idField the field of the response that holds the new ID; without it the response has no body */
export const createHandler =
	(newRecord: NewRecord, idField?: string): Handler =>
	({ records }, request, reply) => {
		const id = createRecord(records, request, newRecord);
		return reply.code(201).send(idField && { [idField]: id });
	};
