// The service's API: each operation of openapi.yaml as a route, with its checks, faults and handler.
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';

import type { HandlerContext } from './operations.mts';
import { type ErrorResponse, forbidden, oauthError } from './errorResponses.mts';
import type { Faults } from './faults.mts';
import { Gateway } from './gateway.mts';
import { handlerOf } from './areas.mts';
import { addRoutesBeyondSpec } from './beyondSpec.mts';
import type { Dialects } from './dialects.mts';
import { openApiRoutes, operationIdOf } from './openapiRoutes.mts';
import type { RequestLog } from './requestLog.mts';
import { speak } from './replies.mts';
import { discardUpload, receiveUpload } from './uploads.mts';
import {
	checkMediaType,
	checkQuery,
	formType,
	isIdentityProvider,
	isTokenOperation,
	toErrorResponse,
} from './validation.mts';

/** A request and the status of its response. */
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

/** Functions that are called while requests are served. */
export interface RequestObservers {
	/** Called when a request was admitted, even if it never gets a response. */
	onArrival?: (operation: string) => void;
	/** Called when a request was handled, before its response leaves, even if the client has gone. */
	onDone?: (operation: string) => void;
	/** Called when a response has been sent. */
	onExchange?: (exchange: Exchange) => void;
}

export interface ServiceOptions extends HandlerContext, RequestObservers {
	faults: Faults;
	requestLog: RequestLog;
}

const operationOf = ({ routeOptions }: FastifyRequest): string =>
	operationIdOf(routeOptions.schema);

const isUnknown = ({ is404, routeOptions }: FastifyRequest, dialects: Dialects): boolean => {
	const { isBeyondSpec = false } = routeOptions.config as { isBeyondSpec?: boolean };
	return is404 || (isBeyondSpec && dialects.beyondSpec === 'nothing');
};

/** Checks the token, then the permission, as the API spec's rules do. */
function checkAccess(
	{ url, method, headers }: FastifyRequest,
	{ accounts, dialects }: HandlerContext,
): void {
	if (isTokenOperation(url)) return;
	const { mayWrite } = accounts.userOfToken(headers.authorization, dialects.authorizationHeader);
	if (method !== 'GET' && !mayWrite) {
		throw forbidden(`This account may read, but not ${method} ${url.split('?')[0]}`);
	}
}

/**
 * Reads the rest of a refused request: closing a connection while the client is sending resets it, and the response is
 * lost (RFC 9112 §9.6).
 */
async function discardBody(request: Readable): Promise<void> {
	if (!request.readableEnded) await finished(request.resume()).catch(() => {});
}

/** No parameter may be given more than once (RFC 6749 §3.2). */
function parseForm(body: string): Record<string, string> {
	const parameters = [...new URLSearchParams(body)];
	const form = Object.fromEntries(parameters);
	if (Object.keys(form).length === parameters.length) return form;
	throw oauthError('invalid_request', 'A parameter is given more than once');
}

/** JSON, forms and multipart bodies; Fastify refuses all others. */
async function addBodyParsers(app: FastifyInstance, filesFolder: string): Promise<void> {
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		// The API spec has a DELETE that requires the header Content-Type and has no body.
		if (body === '') done(null, undefined);
		else void parseJson(request, body as string, done);
	});
	app.addContentTypeParser(formType, { parseAs: 'string' }, async (_: unknown, body: string) =>
		parseForm(body),
	);
	await app.register(multipart, {
		attachFieldsToBody: true,
		preservePath: true,
		limits: { fileSize: Infinity, files: 1 },
		async onFile(this: FastifyRequest, part: MultipartFile) {
			await receiveUpload(filesFolder, this, part);
		},
	} as Parameters<typeof multipart>[1]);
}

/** The hooks of every request, in the order in which they are called. */
function addHooks(app: FastifyInstance, options: ServiceOptions, gateway: Gateway): void {
	const { dialects, faults, requestLog } = options;
	const { onArrival, onDone, onExchange } = options;
	app.addHook('onRequest', async (request, reply) => {
		requestLog.add(request, reply);
		if (!isIdentityProvider(request.url)) gateway.admit(request);
		// Before any other check of the request.
		if (isUnknown(request, dialects)) throw gateway.noOperation(request);
		checkAccess(request, options);
		checkMediaType(request, dialects);
		checkQuery(request, dialects);
	});
	app.addHook('preParsing', async (request, reply, body) => {
		const operation = operationOf(request);
		if (operation === '') return;
		onArrival?.(operation);
		await faults.beforeReading(request, reply, operation, body as Readable);
	});
	app.addHook('preHandler', async (request) => await faults.beforeHandling(request));
	app.addHook('onSend', async (request, reply, body) => {
		const operation = operationOf(request);
		if (operation !== '') onDone?.(operation);
		const text = faults.beforeSending(request, typeof body === 'string' ? body : '');
		const isOthers = gateway.hasResponded(request) || isIdentityProvider(request.url);
		const response = isOthers ? text : speak(reply, text, dialects);
		requestLog.keepResponse(request, response);
		return faults.whileSending(request, response);
	});
	app.addHook('onResponse', async (request, reply) => {
		const { url, method, headers, body } = request;
		onExchange?.({
			operation: operationOf(request),
			method,
			url,
			headers,
			body,
			status: reply.statusCode,
			milliseconds: Math.round(reply.elapsedTime),
		});
	});
}

/** A Fastify plugin, so that its checks and hooks leave the page of the same server alone. */
export const service =
	(options: ServiceOptions): FastifyPluginAsync =>
	async (app) => {
		const gateway = new Gateway(options);
		app.setErrorHandler(async (error: FastifyError | ErrorResponse, request, reply) => {
			const { status, body, headers } = toErrorResponse(error, request.url);
			await discardBody(request.raw);
			await discardUpload(options.filesFolder, request);
			// The operation's own response schema may not list this status, so it is not used.
			return await reply
				.code(status)
				.headers(headers)
				.serializer(JSON.stringify)
				.type('application/json')
				.send(body);
		});
		// Inside this plugin, so that even unknown addresses require a key.
		app.setNotFoundHandler((request) => {
			throw gateway.noOperation(request);
		});
		addHooks(app, options, gateway);
		await addBodyParsers(app, options.filesFolder);
		await addRoutesBeyondSpec(app, options);
		for (const { schema, ...route } of await openApiRoutes()) {
			const handle = handlerOf(operationIdOf(schema));
			app.route({
				...route,
				schema: structuredClone(schema),
				handler: (request, reply) => handle(options, request, reply),
			});
		}
	};
