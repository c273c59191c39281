// The service on loopback: what comes in is checked against openapi.yaml, then served from the store.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import multipart, { type MultipartFile } from '@fastify/multipart';
import {
	Ajv2020,
	type AnySchemaObject,
	type ErrorObject,
	type ValidateFunction,
} from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import Fastify, {
	type FastifyError,
	type FastifyRequest,
	type RouteHandlerMethod,
	type RouteOptions,
} from 'fastify';
import openapiGlue from 'fastify-openapi-glue';

import { Accounts, subscriptionKey, type AccountRules } from './accounts.mts';
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
import { diceOf } from './dice.mts';
import { readDocument } from './document.mts';
import { Faults, type FaultRule } from './faults.mts';
import { readPlan } from './plan.mts';
import {
	invalid,
	notPermitted,
	notSignedIn,
	oauthError,
	Refusal,
	type ValidationError,
} from './refusals.mts';
import { seed } from './seed.mts';
import { Store } from './store.mts';

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

export interface SandboxOptions extends AccountRules {
	/** 0 takes any free port. */
	port?: number;
	/** SQLite file; files go into a folder beside it. Without it all data is gone when the sandbox stops. */
	data?: string;
	/** Milliseconds every request waits before anything is done. */
	latency?: number;
	/** Up to so many milliseconds more, at random. */
	latencySpread?: number;
	/** Rows of a page at most, whatever `limit` asks for. */
	maxPageSize?: number;
	/** What it breaks on purpose; none by default. */
	faults?: FaultRule[];
	/** Of the dice that decide whether a fault strikes, and how long what is spread waits. */
	seed?: number;
	/** Called as an admitted request arrives, also if it is never answered. */
	onArrival?: (operation: string) => void;
	/** Called when a request is done with, before its answer leaves; also if nobody waits for it any more. */
	onDone?: (operation: string) => void;
	/** Called when a request was answered. */
	onExchange?: (exchange: Exchange) => void;
}

export interface Sandbox {
	url: string;
	store: Store;
	accounts: Accounts;
	faults: Faults;
	/** Folder of the uploaded files, each under its GUID. */
	filesFolder: string;
	close(): Promise<void>;
}

/** Not part of the service: where the sandbox itself is told what to do. */
const faultsPath = '/sandbox/faults';

const operationIn = (schema: unknown): string =>
	(schema as { operationId?: string } | undefined)?.operationId ?? '';

const operationOf = ({ routeOptions }: FastifyRequest): string => operationIn(routeOptions.schema);

const isTokenOperation = (url: string) => url.startsWith('/auth');

/** What does not validate, in the error body of the kind of operation that was called. */
const notValid = (url: string, problems: ValidationError[]): Refusal =>
	isTokenOperation(url)
		? oauthError(
				'invalid_request',
				problems.map(({ field, message }) => `${field} ${message}`).join('; '),
			)
		: invalid(...problems);

/** `/0/value/1/userID` → `[0].value[1].userID`; a missing or unknown name is its own field. */
function fieldOf({ instancePath, params }: ErrorObject): string {
	const path = instancePath.replace(/\/(\d+)/g, '[$1]').replace(/\//g, '.');
	const name = (params.missingProperty ?? params.additionalProperty) as string | undefined;
	return (name ? `${path}.${name}` : path).replace(/^\./, '') || 'body';
}

/** Header names have no case, and reach us in lower case; a query may hold nothing unknown. */
function strictly(schema: AnySchemaObject, httpPart = ''): AnySchemaObject {
	if (httpPart === 'querystring') return { ...schema, additionalProperties: false };
	if (httpPart !== 'headers') return schema;
	const { properties, required = [] } = schema as { properties: object; required?: string[] };
	const lower = Object.entries(properties).map(([name, value]) => [
		name.toLowerCase(),
		value as unknown,
	]);
	return {
		...schema,
		properties: Object.fromEntries(lower) as object,
		required: required.map((name) => name.toLowerCase()),
	};
}

// JSON carries its own types; only what comes as text in URL and headers is converted.
const ajvOptions = { allErrors: true, strict: false };
const typed = formatsPlugin.default(new Ajv2020(ajvOptions));
const textual = formatsPlugin.default(new Ajv2020({ ...ajvOptions, coerceTypes: true }));

/** By what they check: many sandboxes in one process compile them once. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: AnySchemaObject, httpPart = ''): ValidateFunction {
	const key = `${httpPart} ${JSON.stringify(schema)}`;
	const ajv = httpPart === 'body' ? typed : textual;
	const validator = validators.get(key) ?? ajv.compile(strictly(schema, httpPart));
	validators.set(key, validator);
	return validator;
}

/** Key first, then token, then permission: the order of the interface's rules. */
function admit({ url, method, headers }: FastifyRequest, accounts: Accounts): void {
	const hasKey = headers['ocp-apim-subscription-key'] === subscriptionKey;
	const unknownKey = 'The subscription key is not known to the service';
	if (isTokenOperation(url)) {
		if (!hasKey) throw oauthError('invalid_request', unknownKey);
		return;
	}
	if (!hasKey) throw notSignedIn(unknownKey);
	const { mayWrite } = accounts.signedIn(headers.authorization);
	if (method !== 'GET' && !mayWrite) {
		throw notPermitted(`This account may read, but not ${method} ${url.split('?')[0]}`);
	}
}

/** Where the document lists no query parameter, none may come. */
function checkQuery({ routeOptions, query }: FastifyRequest): void {
	const { querystring } = (routeOptions.schema ?? {}) as { querystring?: object };
	const unknown = querystring ? [] : Object.keys(query as object);
	if (unknown.length === 0) return;
	throw invalid(...unknown.map((field) => ({ field, message: 'is not a known field' })));
}

/** A body of another media type would pass unchecked. */
function checkMediaType({ routeOptions, headers, url }: FastifyRequest): void {
	const { body } = (routeOptions.schema ?? {}) as { body?: { content: object } };
	const accepted = Object.keys(body?.content ?? {});
	const given = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
	if (accepted.length === 0 || (given && accepted.includes(given))) return;
	throw notValid(url, [{ field: 'content-type', message: `must be ${accepted.join(' or ')}` }]);
}

function messageOf({ keyword, message = 'is not valid' }: ErrorObject): string {
	if (keyword === 'required') return 'is required';
	return keyword === 'additionalProperties' ? 'is not a known field' : message;
}

/** A connection closed while the client still sends is reset, and the refusal lost on its way (RFC 9112 §9.6). */
async function readOut(request: Readable): Promise<void> {
	if (!request.readableEnded) await finished(request.resume()).catch(() => {});
}

function validationRefusal(error: FastifyError, url: string): Refusal {
	const errors = (error.validation ?? []) as unknown as ErrorObject[];
	const problems =
		errors.length > 0
			? errors.map((entry) => ({ field: fieldOf(entry), message: messageOf(entry) }))
			: [{ field: 'body', message: error.message }];
	return notValid(url, problems);
}

/** The document's operations as routes: it is checked and resolved once for all sandboxes of a process. */
let operations: Promise<Array<Pick<RouteOptions, 'method' | 'url' | 'schema'>>> | undefined;

async function readOperations() {
	const routes: Array<Pick<RouteOptions, 'method' | 'url' | 'schema'>> = [];
	const reader = Fastify({ exposeHeadRoutes: false });
	reader.addHook('onRoute', ({ method, url, schema }) => void routes.push({ method, url, schema }));
	await reader.register(openapiGlue, {
		specification: readDocument(),
		operationResolver: () => () => {},
	});
	return routes;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, data, latency = 0, latencySpread = 0, maxPageSize = 200 } = options;
	const store = new Store(data ?? ':memory:');
	if (store.isEmpty) seed(store);
	const accounts = new Accounts(options);
	const filesFolder = data ? `${data}.files` : mkdtempSync(join(tmpdir(), 'agency-sandbox-'));
	mkdirSync(filesFolder, { recursive: true });
	const fileArea = files(store, filesFolder);

	const app = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
	app.setValidatorCompiler(({ schema, httpPart }) =>
		validatorOf(schema as AnySchemaObject, httpPart),
	);
	// A DELETE of profile A carries a Content-Type and no body.
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null, undefined);
		else void parseJson(request, body as string, done);
	});

	const { seed: ofDice = 1 } = options;
	const faults = new Faults(options.faults ?? [], ofDice);
	const latencyDice = diceOf(ofDice);
	app.addHook('onRequest', async (request) => {
		if (request.url === faultsPath) return;
		const wait = latency + latencySpread * latencyDice();
		if (wait > 0) await delay(wait);
		admit(request, accounts);
		checkMediaType(request);
		checkQuery(request);
	});
	app.addHook('preParsing', async (request, reply, body) => {
		const operation = operationOf(request);
		if (operation === '') return;
		options.onArrival?.(operation);
		await faults.before(request, reply, operation, body as Readable);
	});
	app.addHook('preHandler', async (request) => await faults.between(request));
	app.addHook('onSend', async (request, _reply, body) => {
		const operation = operationOf(request);
		if (operation !== '') options.onDone?.(operation);
		return faults.after(request, body);
	});
	app.addHook('onResponse', async (request, reply) => {
		const { url, method, headers, body } = request;
		options.onExchange?.({
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
			error instanceof Refusal
				? error
				: isRequestError
					? validationRefusal(error, request.url)
					: new Refusal(500, { success: false, errors: error.message });
		await readOut(request.raw);
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
	app.get(faultsPath, () => ({ plan: faults.rules, struck: faults.struck }));
	app.put(faultsPath, ({ body }) => {
		try {
			faults.set(readPlan(body));
		} catch (error) {
			throw new Refusal(400, { errors: (error as Error).message });
		}
		return { plan: faults.rules };
	});
	await app.listen({ port, host: '127.0.0.1' });

	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
		store,
		accounts,
		faults,
		filesFolder,
		async close() {
			await app.close();
			store.close();
			if (!data) rmSync(filesFolder, { recursive: true, force: true });
		},
	};
}
