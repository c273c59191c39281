// Responses in the sandbox's dialects. A response is changed after serialization, because the serializer would restore
// the documented types.
import { STATUS_CODES } from 'node:http';

import type { FastifyReply } from 'fastify';

import { defaultDialects, type DialectName, type Dialects } from './dialects.mts';
import { isTokenOperation } from './validation.mts';

type JsonObject = Record<string, unknown>;

/** The content of a response. */
interface Reply {
	isWrite: boolean;
	isSignIn: boolean;
	status: number;
	mediaType: string;
	/** The media type, for JSON or plain text; undefined for no body. */
	data: unknown;
}

type Change = (reply: Reply) => void;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isSuccess = ({ status }: Reply): boolean => status < 300;

interface ListBody {
	body: JsonObject;
	/** The field that holds the rows. */
	key: string;
	rows: unknown[];
}

/** A change to the response of an operation that lists rows. */
const ofList =
	(change: (list: ListBody, reply: Reply) => void): Change =>
	(reply) => {
		const body = reply.data;
		if (!isObject(body) || !('totalRows' in body)) return;
		const [key, rows] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? [];
		if (key !== undefined) change({ body, key, rows: rows as unknown[] }, reply);
	};

const ofEmptyList = (change: (list: ListBody, reply: Reply) => void): Change =>
	ofList((list, reply) => {
		if (list.rows.length === 0) change(list, reply);
	});

/** A copy with changed field names and primitive values. */
function mapped(
	data: unknown,
	changeName: (name: string) => string,
	changeValue: (value: unknown) => unknown,
): unknown {
	const inner = (value: unknown) => mapped(value, changeName, changeValue);
	if (Array.isArray(data)) return data.map(inner);
	if (!isObject(data)) return changeValue(data);
	return Object.fromEntries(
		Object.entries(data).map(([name, value]) => [changeName(name), inner(value)]),
	);
}

const ofEachName =
	(changeName: (name: string) => string): Change =>
	(reply) =>
		void (reply.data = mapped(reply.data, changeName, (value) => value));

const ofEachValue =
	(changeValue: (value: unknown) => unknown): Change =>
	(reply) =>
		void (reply.data = mapped(reply.data, (name) => name, changeValue));

const writesAs =
	(status: number): Change =>
	(reply) => {
		if (reply.isWrite && isSuccess(reply)) reply.status = status;
	};

/** For a write that returns no body although its status allows one. */
const withBody =
	(data: unknown): Change =>
	(reply) => {
		if (reply.isWrite && isSuccess(reply) && reply.status !== 204) reply.data ??= data;
	};

/** The content of an error response, in whatever form it is sent. */
function textsOf(body: unknown): string[] {
	if (!isObject(body)) return [];
	const { errors, error, error_description } = body;
	if (!isObject(errors)) {
		return [error, error_description, errors].filter((text) => typeof text === 'string');
	}
	return Object.values(errors)
		.flat()
		.map((entry) => (isObject(entry) ? Object.values(entry).join(' ') : String(entry)));
}

const errorsAs =
	(write: (texts: string[], reply: Reply) => unknown): Change =>
	(reply) => {
		const texts = isSuccess(reply) ? [] : textsOf(reply.data);
		if (texts.length > 0) reply.data = write(texts, reply);
	};

/** As PHP gets them from a database. */
const asText = (value: unknown): unknown =>
	typeof value === 'boolean' || typeof value === 'number' ? String(Number(value)) : value || null;

/** By status. */
const errorTypes: Record<number, string> = {
	400: 'Validation',
	403: 'Permission',
	404: 'NotFound',
	409: 'Conflict',
};

/** Except 401, or a client could not know that it has to sign in. */
const refusals = [400, 403, 404, 409];

/** The changes that each option makes to a response, in order. */
const changes: { [Name in keyof Dialects]?: Partial<Record<Dialects[Name], Change>> } = {
	totalRows: {
		page: ofList(({ body, rows }) => void (body.totalRows = rows.length)),
		text: ofList(({ body }) => void (body.totalRows = String(body.totalRows))),
		missing: ofList(({ body }) => void delete body.totalRows),
	},
	noRows: {
		null: ofEmptyList(({ body, key }) => void (body[key] = null)),
		object: ofEmptyList(({ body, key }) => void (body[key] = {})),
		missing: ofEmptyList(({ body, key }) => void delete body[key]),
		noContent: ofEmptyList((_list, reply) => void (reply.status = 204)),
	},
	types: {
		text(reply) {
			const isChanged = isSuccess(reply) && !reply.isSignIn && reply.data !== undefined;
			if (isChanged) ofEachValue(asText)(reply);
		},
		numbers: ofEachValue((value) =>
			typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
		),
	},
	redirect: {
		json(reply) {
			if (isSuccess(reply) && typeof reply.data === 'string') reply.mediaType = 'application/json';
		},
		object(reply) {
			if (!isSuccess(reply) || typeof reply.data !== 'string') return;
			reply.mediaType = 'application/json';
			reply.data = { url: reply.data };
		},
	},
	success: { ok: writesAs(200), created: writesAs(201), noContent: writesAs(204) },
	nothing: {
		object: withBody({}),
		list: withBody([]),
		true: withBody(true),
		null: withBody(null),
	},
	errors: {
		message: errorsAs((texts) => ({ message: texts.join('; ') })),
		list: errorsAs((errors) => ({ errors })),
		typed(reply) {
			const type = errorTypes[reply.status];
			if (type === undefined || !isObject(reply.data) || 'error' in reply.data) return;
			reply.data = { errors: textsOf(reply.data).map((message) => ({ type, message })) };
		},
		problem: errorsAs((texts, reply) => {
			reply.mediaType = 'application/problem+json';
			const { status } = reply;
			return { type: 'about:blank', title: STATUS_CODES[status], status, detail: texts.join('; ') };
		}),
		plainText: errorsAs((texts, reply) => {
			reply.mediaType = 'text/plain';
			return texts.join('; ');
		}),
		status200(reply) {
			if (refusals.includes(reply.status)) reply.status = 200;
		},
	},
	names: {
		lower: ofEachName((name) => name.toLowerCase()),
		capitalized: ofEachName((name) => name.charAt(0).toUpperCase() + name.slice(1)),
	},
};

/** Printed by PHP when its setting display_errors is on. */
const phpNotice =
	'<br />\n<b>Notice</b>:  Undefined index: department in <b>/var/www/html/api/index.php</b> on line <b>87</b><br />\n';

const notices: Record<Dialects['notice'], string> = { none: '', php: phpNotice };

const byteOrderMarks: Record<Dialects['charset'], string> = { utf8: '', byteOrderMark: '\ufeff' };

const replyDialects = [...Object.keys(changes), 'notice', 'charset'] as DialectName[];

const isJson = (mediaType: string): boolean => mediaType.endsWith('json');

/** @returns the media type of a response; '' when it has no body */
const mediaTypeOf = (response: FastifyReply): string =>
	String(response.getHeader('Content-Type') ?? '').split(';')[0]!;

/** Turns a response in the default dialects into one in the current dialects. */
function inDialects(response: FastifyReply, text: string, dialects: Dialects): Reply {
	const { method, url } = response.request;
	const mediaType = mediaTypeOf(response) || 'application/json';
	const isSignIn = isTokenOperation(url);
	const reply = {
		isWrite: method !== 'GET' && !isSignIn,
		isSignIn,
		status: response.statusCode,
		mediaType,
		data: text === '' ? undefined : isJson(mediaType) ? (JSON.parse(text) as unknown) : text,
	};
	for (const [name, ways] of Object.entries(changes)) {
		(ways as Record<string, Change>)[dialects[name as keyof Dialects]]?.(reply);
	}
	return reply;
}

function bodyOf({ status, mediaType, data }: Reply, dialects: Dialects): string {
	if (data === undefined || status === 204) return '';
	const text = isJson(mediaType)
		? notices[dialects.notice] + JSON.stringify(data)
		: (data as string);
	return byteOrderMarks[dialects.charset] + text;
}

/**
 * Gives a response the status and headers of the dialects.
 * @param text its body in the default dialects; '' for none
 * @returns its body
 */
export function speak(response: FastifyReply, text: string, dialects: Dialects): string {
	const mediaType = mediaTypeOf(response);
	const isRead = text === '' || isJson(mediaType) || mediaType === 'text/plain';
	const isPlain = replyDialects.every((name) => dialects[name] === defaultDialects[name]);
	if (isPlain || !isRead) return text;
	const reply = inDialects(response, text, dialects);
	const body = bodyOf(reply, dialects);
	response.code(reply.status);
	if (body === '') response.removeHeader('Content-Type');
	else response.header('Content-Type', `${reply.mediaType}; charset=utf-8`);
	return body;
}
