// What a file in sandbox/areas/ exports as `area`: all that the sandbox knows of one area of the interface.
import type { Faker } from '@faker-js/faker';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Accounts } from './accounts.mts';
import type { Dialects } from './dialects.mts';
import type { RecordStore } from './recordStore.mts';

/** What handlers work with. */
export interface HandlerContext {
	records: RecordStore;
	accounts: Accounts;
	/** Folder of the uploaded files, each under its GUID. */
	filesFolder: string;
	/** The way in which the service decides what its description leaves open. */
	dialects: Dialects;
}

/** Answers a request that is permitted and valid; what it returns is the body. */
export type Handler = (
	context: HandlerContext,
	request: FastifyRequest,
	reply: FastifyReply,
) => unknown;

export interface Area {
	/** By the `operationId` in openapi.yaml. */
	handlers: Record<string, Handler>;
	/** The kinds of records that the area keeps, and what the page calls them. */
	kinds: Record<string, string>;
	/**
	 * Inserts the records that a new sandbox holds of these kinds. Their IDs begin at 101.
	 * @param faker gives every area the same values at each start, whatever other areas there are
	 */
	insertInitialRecords?: (records: RecordStore, faker: Faker) => void;
}
