// Checks requests against openapi.yaml, and refuses invalid ones field by field.
import {
	Ajv2020,
	type AnySchemaObject,
	type ErrorObject,
	type ValidateFunction,
} from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { FastifyError, FastifyRequest } from 'fastify';

import type { Dialects } from './dialects.mts';
import { badRequest, oauthError, ErrorResponse, type ValidationError } from './errorResponses.mts';
import type { RecordData } from './recordStore.mts';

export const formType = 'application/x-www-form-urlencoded';

/** The identity provider is a separate service without a gateway. */
export const isIdentityProvider = (url: string) => url.startsWith('/identity/');

export const isTokenOperation = (url: string) =>
	/^\/(?:auth|refreshtoken)/.test(url) || isIdentityProvider(url);

const inWords = (problems: ValidationError[]): string =>
	problems.map(({ field, message }) => `${field} ${message}`).join('; ');

/** The error response for an invalid request; its body differs between sign-ins and agency operations. */
const notValid = (url: string, problems: ValidationError[]): ErrorResponse =>
	isTokenOperation(url)
		? oauthError('invalid_request', inWords(problems))
		: badRequest(...problems);

/** `/0/value/1/userID` → `[0].value[1].userID`; a missing or unknown field is named, too. */
function fieldOf({ instancePath, params }: ErrorObject): string {
	const path = instancePath.replace(/\/(\d+)/g, '[$1]').replace(/\//g, '.');
	const name = (params.missingProperty ?? params.additionalProperty) as string | undefined;
	return (name ? `${path}.${name}` : path).replace(/^\./, '') || 'body';
}

const notKnown = 'is not a known field';

function problemOf(error: ErrorObject): ValidationError {
	const { keyword, message = 'is invalid', params } = error;
	const words: Record<string, string> = {
		required: 'is required',
		additionalProperties: notKnown,
		enum: `must be one of ${(params.allowedValues as string[] | undefined)?.join(', ')}`,
	};
	return { field: fieldOf(error), message: words[keyword] ?? message };
}

/** Forbids fields that the schema does not name, at any depth. */
const withoutOthers = (schema: AnySchemaObject): AnySchemaObject =>
	JSON.parse(JSON.stringify(schema), (_, part: AnySchemaObject | null) =>
		part?.properties ? { ...part, additionalProperties: false } : part,
	) as AnySchemaObject;

const ajv = formatsPlugin.default(new Ajv2020({ allErrors: true, strict: false, verbose: true }));

const hasTypes = (httpPart = ''): boolean => httpPart === 'body' || httpPart === 'response';

/** Patterns for values sent as text, by type: JavaScript would also accept `0x65` and `1.01e2`. */
const numbers: Record<string, RegExp> = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ };

function readNumbers({ properties = {} }: AnySchemaObject, part: RecordData | null): void {
	for (const [name, { type }] of Object.entries(properties as Record<string, AnySchemaObject>)) {
		if (numbers[String(type)]?.test(String(part?.[name]))) part![name] = Number(part![name]);
	}
}

/** By the part they check, so that all sandboxes of a process compile each only once. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: AnySchemaObject, httpPart = ''): ValidateFunction {
	const key = `${httpPart} ${JSON.stringify(schema)}`;
	const isStrict = httpPart === 'querystring' || httpPart === 'response';
	const validator = validators.get(key) ?? ajv.compile(isStrict ? withoutOthers(schema) : schema);
	validators.set(key, validator);
	return validator;
}

/** Whether the sandbox accepts values that the document does not allow. */
function isTaken(error: ErrorObject, part: RecordData, dialects: Dialects): boolean {
	const { keyword, params, data, parentSchema } = error;
	// The document describes a file as text; here it is a stream.
	if (parentSchema?.format === 'binary') return true;
	if (keyword === 'additionalProperties') return dialects.otherFields === 'taken';
	if (params.type === 'string' && typeof data === 'number') return dialects.types === 'text';
	// In the public record, the operation for codes also accepts the password grant.
	const isOfCode = /^(?:code|redirect_uri)$/.test(String(params.missingProperty));
	return isOfCode && part.grant_type === 'password' && dialects.beyondSpec === 'lists';
}

/** Checks a part of a request. */
export const checkerOf =
	(schema: AnySchemaObject, httpPart: string | undefined, dialects: Dialects) =>
	(part: RecordData): boolean | { error: ErrorObject[] } => {
		if (!hasTypes(httpPart)) readNumbers(schema, part);
		const validate = validatorOf(schema, httpPart);
		if (validate(part)) return true;
		const refused = validate.errors!.filter((error) => !isTaken(error, part, dialects));
		return refused.length === 0 || { error: refused };
	};

/**
 * Checks data as a part of a request is checked.
 * @param httpPart 'body' for data with JSON types; others may come as text
 * @throws TypeError naming each invalid field; its message is meant for people
 */
export function requireValid(schema: AnySchemaObject, data: unknown, httpPart?: string): void {
	if (!hasTypes(httpPart)) readNumbers(schema, data as RecordData);
	const validate = validatorOf(schema, httpPart);
	if (!validate(data)) throw new TypeError(inWords(validate.errors!.map(problemOf)));
}

/** Writes a response as JSON. @throws TypeError if it is not as openapi.yaml describes it */
export const serializerOf =
	(schema: AnySchemaObject) =>
	(data: unknown): string => {
		requireValid(schema, data, 'response');
		return JSON.stringify(data);
	};

/** An operation without query parameters in the document has no schema for them. */
export function checkQuery({ routeOptions, query, url }: FastifyRequest, dialects: Dialects): void {
	const { querystring } = (routeOptions.schema ?? {}) as { querystring?: object };
	const others = querystring ? [] : Object.keys(query as object);
	if (others.length > 0 && dialects.otherFields === 'refused')
		throw notValid(
			url,
			others.map((field) => ({ field, message: notKnown })),
		);
}

const json = 'application/json';

/** Without this check, a body of another media type would pass. OpenAPI cannot describe it as a parameter. */
export function checkMediaType(
	{ routeOptions, headers, url }: FastifyRequest,
	{ contentType }: Dialects,
): void {
	const { body } = (routeOptions.schema ?? {}) as { body?: { content: object } };
	const accepted = Object.keys(body?.content ?? {});
	const isOptional = contentType === 'optional';
	if (isOptional && isTokenOperation(url)) accepted.push(formType);
	if (isOptional && accepted.includes(json)) headers['content-type'] ??= json;
	const given = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
	if (given ? body === undefined || accepted.includes(given) : isOptional && !body) return;
	const message = body ? `must be ${accepted.join(' or ')}` : 'is required';
	throw notValid(url, [{ field: 'content-type', message }]);
}

/** The error response for an error that Fastify or its form parser found in a request. */
export function toErrorResponse(error: FastifyError | ErrorResponse, url: string): ErrorResponse {
	if (error instanceof ErrorResponse) return error;
	const { code, statusCode = 500, message } = error;
	if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
		return new ErrorResponse(413, { success: false, errors: message });
	}
	// The form parser's errors have no status.
	if (statusCode >= 500 && !/multipart/i.test(message)) {
		return new ErrorResponse(500, { success: false, errors: message });
	}
	const errors = (error.validation ?? []) as unknown as ErrorObject[];
	const problems = errors.length > 0 ? errors.map(problemOf) : [{ field: 'body', message }];
	return notValid(url, problems);
}
