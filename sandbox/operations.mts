// The handlers of permitted and valid requests. A handler returns the body of the response.
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Accounts } from './accounts.mts';
import type { Dialects } from './dialects.mts';
import { badRequest, ErrorResponse } from './errorResponses.mts';
import { pageOf } from './listParameters.mts';
import type { RecordData, RecordStore, StoredRecord } from './recordStore.mts';
import { keepUpload } from './uploads.mts';

export interface HandlerContext {
	records: RecordStore;
	accounts: Accounts;
	/** Folder of the uploaded files, each under its GUID. */
	filesFolder: string;
	/** The service's choices for the questions that the API spec leaves open. */
	dialects: Dialects;
}

/** A kind of records, as paths and bodies name them. */
export interface Collection {
	kind: string;
	/** The field of their ID, if responses show it. */
	idField?: string;
	/** The parameter of their path, and their field, with the ID of the record that they belong to. */
	parent?: string;
}

export interface Handler {
	(context: HandlerContext, request: FastifyRequest, reply: FastifyReply): unknown;
	/** What it creates. */
	created?: Collection;
}

const noRecord = (field: string, kind: string) =>
	badRequest({ field, message: `no ${kind} has this ID` });

const notFound = (kind: string) =>
	new ErrorResponse(404, { success: false, errors: `No ${kind} has this ID` });

/** PHP writes any empty array as a list, even if it would be an object. */
const sendNothing = (reply: FastifyReply) => reply.serializer(JSON.stringify).send([]);

/** The client's data of a record. Only the service decides its ID and its parent. */
function dataIn(body: unknown, { idField, parent }: Collection): RecordData {
	const ofService = [idField, parent, 'rowNum', 'rowVersion'];
	const fields = Object.entries(body as RecordData);
	return Object.fromEntries(fields.filter(([field]) => !ofService.includes(field)));
}

/** The parent record's ID in the path. */
const parentIn = ({ parent = '' }: Collection, { params }: FastifyRequest) =>
	(params as Record<string, number>)[parent]!;

/**
 * Stores the body of a request; 400 if the record that it belongs to does not exist.
 * @param idField the field of the response that holds the new ID; without it, the response has no body
 * @param parent such as `eventID`, of an `event`
 * @param write how the response writes the ID
 */
export const creates = (
	kind: string,
	idField?: string,
	parent?: string,
	write: (id: number) => number | string = Number,
): Handler => {
	const created = { kind, idField: idField ?? `${kind}ID`, parent };
	const parentKind = parent?.slice(0, -'ID'.length);
	const handler: Handler = ({ records }, request, reply) => {
		const parentId = parentIn(created, request);
		if (parentKind && !records.get(parentKind, parentId)) throw noRecord(parent!, parentKind);
		const id = records.insert(kind, {
			...(parent && { [parent]: parentId }),
			...dataIn(request.body, created),
		});
		return reply.code(201).send(idField && { [idField]: write(id) });
	};
	return Object.assign(handler, { created });
};

const students = { kind: 'classStudent', idField: 'classStudentID' };
export const patchClassStudents: Handler = ({ records }, { body }, reply) => {
	const id = records.insert(students.kind, dataIn(body, students));
	return reply.code(200).send({ rowVersion: records.get(students.kind, id)!.rowVersion });
};
patchClassStudents.created = students;

/** A record as responses show it. */
export const recordOf = (
	{ id, data, rowVersion }: StoredRecord,
	{ idField }: Collection,
): RecordData => (idField ? { [idField]: id, ...data, rowVersion } : data);

/** A list whose rows are read by page. */
export const lists =
	(collection: Collection, field: string, rowOf = recordOf): Handler =>
	(context, request) => {
		const { parent } = collection;
		const value = parentIn(collection, request);
		const within = parent ? [{ field: parent, operator: 'eq' as const, value }] : [];
		const { totalRows, rows } = pageOf(context, collection, request.query, within);
		const shown = rows.map((row) => ({ rowNum: row.rowNum, ...rowOf(row, collection) }));
		return { totalRows, [field]: shown };
	};

/** @returns the record in the path, if it belongs to the parent in the path */
function recordIn({ records }: HandlerContext, request: FastifyRequest, of: Collection) {
	const record = records.get(of.kind, (request.params as { recordID: number }).recordID);
	const isOfOther = of.parent && Number(record?.data[of.parent]) !== parentIn(of, request);
	return isOfOther ? undefined : record;
}

/** The user whose token the request has. */
export function ownUser({ records, accounts, dialects }: HandlerContext, request: FastifyRequest) {
	const { authorization } = request.headers;
	const { username: value } = accounts.userOfToken(authorization, dialects.authorizationHeader);
	return records.list('user', { fields: [{ field: 'login', operator: 'eq', value }] }).rows[0];
}

export const getRecord =
	(collection: Collection, find = recordIn): Handler =>
	(context, request, reply) => {
		const record = find(context, request, collection);
		if (record) return { [collection.kind]: recordOf(record, collection) };
		if (collection.parent) throw notFound(collection.kind);
		return sendNothing(reply);
	};

/** The record that a request changes. @throws ErrorResponse (404, or 409 for an ETag of an earlier version) */
function changedRecord(context: HandlerContext, of: Collection, request: FastifyRequest) {
	const record = recordIn(context, request, of);
	if (!record) throw notFound(of.kind);
	const { etag = record.rowVersion } = request.headers;
	if (etag === record.rowVersion) return record;
	const errors = `The ${of.kind} has been changed: its rowVersion is ${record.rowVersion}`;
	throw new ErrorResponse(409, { success: false, errors });
}

/** Fields to change as an object, or as a JSON Patch (RFC 6902). */
export const patchBody = {
	type: ['object', 'array'],
	items: {
		type: 'object',
		required: ['op', 'path'],
		properties: {
			op: { enum: ['add', 'replace', 'remove'] },
			path: { type: 'string', pattern: '^/[^/~]+$' },
		},
		if: { properties: { op: { enum: ['add', 'replace'] } } },
		then: { required: ['value'] },
	},
};

type PatchOperation = Record<'op' | 'path', string> & { value?: unknown };

const changeOf = ({ op, path, value }: PatchOperation) =>
	[path.slice(1), op === 'remove' ? undefined : value] as const;

export const patchRecord =
	(collection: Collection): Handler =>
	(context, request) => {
		const { kind } = collection;
		const record = changedRecord(context, collection, request);
		const body = request.body as RecordData | PatchOperation[];
		const fields = Array.isArray(body) ? Object.fromEntries(body.map(changeOf)) : body;
		context.records.update(kind, record.id, { ...record.data, ...dataIn(fields, collection) });
		return { rowVersion: context.records.get(kind, record.id)!.rowVersion };
	};

export const deleteRecord =
	(collection: Collection): Handler =>
	(context, request, reply) => {
		const { id } = changedRecord(context, collection, request);
		context.records.remove(collection.kind, id);
		return reply.code(204).send();
	};

export const getShift: Handler = ({ records, dialects }, { params, headers }, reply) => {
	const record = records.get('shift', (params as { shiftID: number }).shiftID);
	if (!record && dialects.missingRecord === 'empty') return sendNothing(reply);
	if (!record) throw noRecord('shiftID', 'shift');
	const isHonoured = dialects.etag === 'honoured';
	if (isHonoured && headers.etag === record.rowVersion) return reply.code(304).send();
	return { shift: { ...record.data, rowVersion: record.rowVersion } };
};

export const archiveInspectionAnswer: Handler = ({ records }, { params }, reply) => {
	const { inspectionID, answerID } = params as Record<string, number>;
	if (!records.get('inspection', inspectionID!)) throw noRecord('inspectionID', 'inspection');
	if (records.get('inspectionAnswer', answerID!)?.data.inspectionID !== inspectionID) {
		throw notFound('answer of the inspection');
	}
	records.archive('inspectionAnswer', answerID!);
	return reply.code(204).send();
};

/** @returns the ID in a path of a bulk request, written as `/101` or with the words of its place around it */
function idIn(path: string, ...words: string[]): string | undefined {
	const [first, id, ...others] = path.replace(/^\//, '').split('/');
	if (id === undefined) return first;
	return String([first, ...others]) === String(words) ? id : undefined;
}

/**
 * Patches the record that a path of a bulk request names.
 * @param change returns the new data, or a status that refuses the patch
 * @returns the status of the path
 */
function patch(
	records: RecordStore,
	kind: string,
	id: string | undefined,
	change: (record: StoredRecord) => RecordData | number,
): number {
	const record = /^\d+$/.test(id ?? '') && records.get(kind, Number(id));
	if (!record) return 404;
	const changed = change(record);
	if (typeof changed === 'number') return changed;
	records.update(kind, record.id, { ...record.data, ...changed });
	return 200;
}

interface MaintenancePatch {
	op?: string;
	value?: RecordData;
	paths?: Array<{ path?: string; rowVersion?: string }>;
}

export const patchApparatusMaintenance: Handler = ({ records }, { body }) =>
	(body as MaintenancePatch[]).flatMap(({ op, value = {}, paths = [] }) =>
		paths.map(({ path = '', rowVersion }) => {
			const id = idIn(path, 'apparatus', 'maintenance');
			const response = patch(records, 'apparatusMaintenance', id, (record) => {
				if (op !== 'add' && op !== 'replace') return 400;
				return rowVersion === undefined || rowVersion === record.rowVersion ? value : 409;
			});
			return { path, response };
		}),
	);

interface LicensePatch {
	op?: string;
	path?: Array<{ path?: string }>;
	value?: Array<{ userID?: number }>;
}

/** The users of a license after an operation, by its `op`. */
const licenseOperations: Record<string, (now: number[], given: number[]) => number[]> = {
	add: (now, given) => [...new Set([...now, ...given])],
	replace: (_now, given) => given,
	remove: (now, given) => now.filter((userID) => !given.includes(userID)),
};

export const patchLicenses: Handler = ({ records }, { body }) => ({
	ok: (body as LicensePatch[]).flatMap(({ op = '', path: paths = [], value = [] }) =>
		paths.map(({ path = '' }) => {
			const id = idIn(path, 'licenses');
			const given = value.map(({ userID }) => userID!);
			const status = patch(records, 'license', id, ({ data }) =>
				Object.hasOwn(licenseOperations, op)
					? { userIDs: licenseOperations[op]!(data.userIDs as number[], given) }
					: 400,
			);
			return { path, status };
		}),
	),
});

/** Browsers write a quote or a line break in a file's name this way (WHATWG, multipart/form-data encoding). */
const decodedName = (name: string) =>
	name.replace(/%22|%0D|%0A/g, (escape) => decodeURIComponent(escape));

export const uploadFile: Handler = async ({ records, filesFolder }, request, reply) => {
	const upload = await keepUpload(filesFolder, request);
	if (!upload) throw badRequest({ field: 'body', message: 'holds no file' });
	const { fileGUID, part, size } = upload;
	const now = new Date().toISOString();
	const record = {
		fileName: decodedName(part.filename),
		fileContentType: part.mimetype,
		fileLastModified: now,
		fileSize: size,
		fileCreated: now,
		fileData: '',
		fileGUID,
	};
	records.insert('file', record);
	reply.code(201);
	return record;
};
uploadFile.created = { kind: 'file', idField: 'fileID' };

/** @param grant what the accounts do with the body of the request */
export const signsIn =
	(
		grant: 'authorize' | 'passwordToken' | 'codeToken' | 'refreshToken' | 'identityToken',
	): Handler =>
	({ accounts }, { body }) =>
		accounts[grant](body as Record<string, string>);
