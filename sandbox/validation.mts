// Checks requests against openapi.yaml; what does not fit is refused, field by field.
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

export const formType = 'application/x-www-form-urlencoded';

/** Of an identity provider beside the service: no gateway stands before it. */
export const isIdentityProvider = (url: string) => url.startsWith('/identity/');

export const isTokenOperation = (url: string) =>
	/^\/(?:auth|refreshtoken)/.test(url) || isIdentityProvider(url);

const inWords = (problems: ValidationError[]): string =>
	problems.map(({ field, message }) => `${field} ${message}`).join('; ');

/** The error response for an invalid request: sign-ins have another body than agency operations. */
const notValid = (url: string, problems: ValidationError[]): ErrorResponse =>
	isTokenOperation(url)
		? oauthError('invalid_request', inWords(problems))
		: badRequest(...problems);

/** `/0/value/1/userID` → `[0].value[1].userID`; a field that is missing or unknown is named as well. */
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

/** Lets the objects of a schema, however deep, have no other fields than those it names. */
const withoutOthers = (schema: AnySchemaObject): AnySchemaObject =>
	JSON.parse(JSON.stringify(schema), (_, part: AnySchemaObject | null) =>
		part?.properties ? { ...part, additionalProperties: false } : part,
	) as AnySchemaObject;

/** Fastify gives header names in lower case; queries and responses may hold nothing unknown. */
function strictly(schema: AnySchemaObject, httpPart = ''): AnySchemaObject {
	if (httpPart === 'querystring' || httpPart === 'response') return withoutOthers(schema);
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

// JSON has types; only what comes as text, in the URL and in headers, is converted.
const ajvOptions = { allErrors: true, strict: false };
const typed = formatsPlugin.default(new Ajv2020(ajvOptions));
const textual = formatsPlugin.default(new Ajv2020({ ...ajvOptions, coerceTypes: true }));

/** By what they check, so that the sandboxes of a process compile each once. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: AnySchemaObject, httpPart = ''): ValidateFunction {
	const key = `${httpPart} ${JSON.stringify(schema)}`;
	const ajv = httpPart === 'body' || httpPart === 'response' ? typed : textual;
	const validator = validators.get(key) ?? ajv.compile(strictly(schema, httpPart));
	validators.set(key, validator);
	return validator;
}

const isNoContentType = ({ params }: ErrorObject): boolean =>
	params.missingProperty === 'content-type';

const isOtherField = ({ keyword }: ErrorObject): boolean => keyword === 'additionalProperties';

/** Checks a part of a request; a dialect accepts fields that the document does not have. */
export const checkerOf =
	(schema: AnySchemaObject, httpPart: string | undefined, dialects: Dialects) =>
	(part: object): boolean | { error: ErrorObject[] } => {
		const validate = validatorOf(schema, httpPart);
		if (validate(part)) return true;
		const refused = validate.errors!.filter(
			(error) =>
				!(dialects.otherFields === 'taken' && isOtherField(error)) &&
				!(dialects.contentType === 'optional' && isNoContentType(error)),
		);
		return refused.length === 0 || { error: refused };
	};

/**
 * Checks data as a part of a request is checked.
 * @param httpPart 'body' for data with JSON types; others may come as text
 * @throws TypeError naming each invalid field; its message is meant for people
 */
export function requireValid(schema: AnySchemaObject, data: unknown, httpPart?: string): void {
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
export function checkQuery({ routeOptions, query }: FastifyRequest, dialects: Dialects): void {
	const { querystring } = (routeOptions.schema ?? {}) as { querystring?: object };
	const others = querystring ? [] : Object.keys(query as object);
	if (others.length > 0 && dialects.otherFields === 'refused')
		throw badRequest(...others.map((field) => ({ field, message: notKnown })));
}

/** Without this check, a body of another media type would pass. */
export function checkMediaType(
	{ routeOptions, headers, url }: FastifyRequest,
	{ contentType }: Dialects,
): void {
	const { body } = (routeOptions.schema ?? {}) as { body?: { content: object } };
	const accepted = Object.keys(body?.content ?? {});
	const given = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
	if (contentType === 'optional' && isTokenOperation(url)) accepted.push(formType);
	if (accepted.length === 0 || (given && accepted.includes(given))) return;
	throw notValid(url, [{ field: 'content-type', message: `must be ${accepted.join(' or ')}` }]);
}

/** The error response for an error that Fastify, or its reader of forms, found in a request. */
export function toErrorResponse(error: FastifyError | ErrorResponse, url: string): ErrorResponse {
	if (error instanceof ErrorResponse) return error;
	const { code, statusCode = 500, message } = error;
	if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
		return new ErrorResponse(413, { success: false, errors: message });
	}
	// The reader of forms gives its errors no status.
	if (statusCode >= 500 && !/multipart/i.test(message)) {
		return new ErrorResponse(500, { success: false, errors: message });
	}
	const errors = (error.validation ?? []) as unknown as ErrorObject[];
	const problems = errors.length > 0 ? errors.map(problemOf) : [{ field: 'body', message }];
	return notValid(url, problems);
}
