// The interface: each operation of openapi.yaml as a route, with its checks, faults and handler.
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import multipart, { type MultipartFile } from '@fastify/multipart';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import Fastify, {
	type FastifyError,
	type FastifyPluginAsync,
	type FastifyRequest,
	type RouteHandlerMethod,
	type RouteOptions,
} from 'fastify';
import openapiGlue from 'fastify-openapi-glue';

import { subscriptionKey, type Accounts } from './accounts.mts';
import { apparatusMaintenance } from './areas/apparatusMaintenance.mts';
import { classes } from './areas/classes.mts';
import { criticalInfrastructure } from './areas/criticalInfrastructure.mts';
import { demographics } from './areas/demographics.mts';
import { events } from './areas/events.mts';
import { exposures } from './areas/exposures.mts';
import { files } from './areas/files.mts';
import { inspections } from './areas/inspections.mts';
import { library } from './areas/library.mts';
import { licenses } from './areas/licenses.mts';
import { mappings } from './areas/mappings.mts';
import { nemsis3 } from './areas/nemsis3.mts';
import { notifications } from './areas/notifications.mts';
import { occupancies } from './areas/occupancies.mts';
import { shiftSchedules } from './areas/shiftSchedules.mts';
import { shifts } from './areas/shifts.mts';
import { users } from './areas/users.mts';
import { vendors } from './areas/vendors.mts';
import { readOpenApi } from './openapi.mts';
import type { Faults } from './faults.mts';
import type { RequestLog } from './requestLog.mts';
import { forbidden, unauthorized, oauthError, ErrorResponse } from './errorResponses.mts';
import type { RecordStore } from './recordStore.mts';
import {
	checkMediaType,
	checkQuery,
	isTokenOperation,
	validationRefusal,
	validatorOf,
} from './validation.mts';

/** One request and how it was answered. */
export interface Exchange {
	operation: string;
	method: string;
	url: string;
	headers: FastifyRequest['headers'];
	/** The JSON that was sent. */
	body: unknown;
	status: number;
	milliseconds: number;
}

const operationIn = (schema: unknown): string =>
	(schema as { operationId?: string } | undefined)?.operationId ?? '';

const operationOf = ({ routeOptions }: FastifyRequest): string => operationIn(routeOptions.schema);

/** Key first, then token, then permission: the order of the interface's rules. */
function checkAccess({ url, method, headers }: FastifyRequest, accounts: Accounts): void {
	const hasKey = headers['ocp-apim-subscription-key'] === subscriptionKey;
	const unknownKey = 'The subscription key is not known to the service';
	if (isTokenOperation(url)) {
		if (!hasKey) throw oauthError('invalid_request', unknownKey);
		return;
	}
	if (!hasKey) throw unauthorized(unknownKey);
	const { mayWrite } = accounts.userOfToken(headers.authorization);
	if (method !== 'GET' && !mayWrite) {
		throw forbidden(`This account may read, but not ${method} ${url.split('?')[0]}`);
	}
}

/** A connection closed while the client still sends is reset, and the refusal lost on its way (RFC 9112 §9.6). */
async function discardBody(request: Readable): Promise<void> {
	if (!request.readableEnded) await finished(request.resume()).catch(() => {});
}

/** The document's operations as routes: it is checked and resolved once for all sandboxes of a process. */
let operations: Promise<Array<Pick<RouteOptions, 'method' | 'url' | 'schema'>>> | undefined;

async function readOperations() {
	const routes: Array<Pick<RouteOptions, 'method' | 'url' | 'schema'>> = [];
	const reader = Fastify({ exposeHeadRoutes: false });
	reader.addHook('onRoute', ({ method, url, schema }) => void routes.push({ method, url, schema }));
	await reader.register(openapiGlue, {
		specification: readOpenApi(),
		operationResolver: () => () => {},
	});
	return routes;
}

/** Who is told what the service does. */
export interface RequestObservers {
	/** Called as an admitted request arrives, also if it is never answered. */
	onArrival?: (operation: string) => void;
	/** Called when a request is done with, before its answer leaves; also if nobody waits for it any more. */
	onDone?: (operation: string) => void;
	/** Called when a request was answered. */
	onExchange?: (exchange: Exchange) => void;
}

/** What the interface is served from. */
export interface ServiceParts extends RequestObservers {
	store: RecordStore;
	accounts: Accounts;
	faults: Faults;
	requestLog: RequestLog;
	/** Of uploaded files. */
	filesFolder: string;
	/** Milliseconds a request waits before anything is done. */
	latency: () => number;
	/** Rows of a page at most. */
	maxPageSize: number;
}

/** As a Fastify plugin: what stands beside it in the server is not its business. */
export const service =
	({
		store,
		accounts,
		faults,
		requestLog: journal,
		filesFolder,
		latency,
		maxPageSize,
		...told
	}: ServiceParts): FastifyPluginAsync =>
	async (app) => {
		const fileArea = files(store, filesFolder);
		app.setValidatorCompiler(({ schema, httpPart }) =>
			validatorOf(schema as AnySchemaObject, httpPart),
		);
		// A DELETE of profile A carries a Content-Type and no body.
		const parseJson = app.getDefaultJsonParser('error', 'error');
		app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
			if (body === '') done(null, undefined);
			else void parseJson(request, body as string, done);
		});

		app.addHook('onRequest', async (request, reply) => {
			journal.add(request, reply);
			const wait = latency();
			if (wait > 0) await delay(wait);
			checkAccess(request, accounts);
			checkMediaType(request);
			checkQuery(request);
		});
		app.addHook('preParsing', async (request, reply, body) => {
			const operation = operationOf(request);
			if (operation === '') return;
			told.onArrival?.(operation);
			await faults.before(request, reply, operation, body as Readable);
		});
		app.addHook('preHandler', async (request) => await faults.beforeHandling(request));
		app.addHook('onSend', async (request, _reply, body) => {
			const operation = operationOf(request);
			if (operation !== '') told.onDone?.(operation);
			return faults.beforeSending(request, body);
		});
		app.addHook('onResponse', async (request, reply) => {
			const { url, method, headers, body } = request;
			told.onExchange?.({
				operation: operationOf(request),
				method,
				url,
				headers,
				body,
				status: reply.statusCode,
				milliseconds: Math.round(reply.elapsedTime),
			});
		});
		app.setErrorHandler(async (error: FastifyError, request, reply) => {
			const isRequestError = (error.statusCode ?? 500) < 500;
			const refusal =
				error instanceof ErrorResponse
					? error
					: isRequestError
						? validationRefusal(error, request.url)
						: new ErrorResponse(500, { success: false, errors: error.message });
			await discardBody(request.raw);
			// Without the operation's own response schema: it may not list this status.
			return await reply
				.code(refusal.status)
				.serializer(JSON.stringify)
				.type('application/json')
				.send(refusal.body);
		});

		await app.register(multipart, {
			attachFieldsToBody: true,
			preservePath: true,
			limits: { fileSize: Infinity, files: 1 },
			async onFile(this: FastifyRequest, part: MultipartFile) {
				await fileArea.receive(this, part);
			},
		} as Parameters<typeof multipart>[1]);
		const handlers: Record<string, RouteHandlerMethod> = {
			authorize: ({ body }: FastifyRequest) => accounts.authorize(body as Record<string, string>),
			passwordToken: ({ body }: FastifyRequest) =>
				accounts.passwordToken(body as Record<string, string>),
			codeToken: ({ body }: FastifyRequest) => accounts.codeToken(body as Record<string, string>),
			...fileArea.handlers,
			...apparatusMaintenance(store),
			...classes(store),
			...criticalInfrastructure(store),
			...demographics(store),
			...events(store),
			...exposures(store),
			...inspections(store),
			...library(store),
			...licenses(store),
			...mappings(store),
			...nemsis3(store, maxPageSize),
			...notifications(store),
			...occupancies(store),
			...shiftSchedules(store),
			...shifts(store),
			...users(store),
			...vendors(store, maxPageSize),
		};
		for (const { schema, ...route } of await (operations ??= readOperations())) {
			const handler = handlers[operationIn(schema)]!;
			app.route({ ...route, schema: structuredClone(schema), handler });
		}
		// With this plugin's checks: who asks for what there is not needs the key, too.
		app.setNotFoundHandler(() => {
			throw new ErrorResponse(404, { success: false, errors: 'The service has no such operation' });
		});
	};
