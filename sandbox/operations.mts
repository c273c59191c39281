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
	/** The service's choices where its description leaves questions open. */
	dialects: Dialects;
}

export interface Handler {
	(context: HandlerContext, request: FastifyRequest, reply: FastifyReply): unknown;
	/** What it creates: the kind of the records, and the field of their IDs. */
	created?: { kind: string; idField: string };
}

const noRecord = (field: string, kind: string) =>
	badRequest({ field, message: `no ${kind} has this ID` });

const notFound = (kind: string) =>
	new ErrorResponse(404, { success: false, errors: `No ${kind} has this ID` });

/** PHP writes what is empty as a list, whatever it would hold. */
const sendNothing = (reply: FastifyReply) => reply.serializer(JSON.stringify).send([]);

/** The kind of the record that a new one belongs to, and the path parameter with its ID. */
type Parent = [kind: string, parameter: string];

/**
 * Stores the body of a request; 400 if the parent does not exist.
 * @param idField the field of the response that holds the new ID; without it, the response has no body
 * @param write how the response writes the ID
 */
export const creates = (
	kind: string,
	idField?: string,
	[parentKind, parameter]: Parent | [] = [],
	write: (id: number) => number | string = Number,
): Handler => {
	const handler: Handler = ({ records }, { params, body }, reply) => {
		const parentId = (params as Record<string, number>)[parameter ?? '']!;
		if (parameter && !records.get(parentKind!, parentId)) throw noRecord(parameter, parentKind!);
		const id = records.insert(kind, {
			...(parameter && { [parameter]: parentId }),
			...(body as RecordData),
		});
		return reply.code(201).send(idField && { [idField]: write(id) });
	};
	return Object.assign(handler, { created: { kind, idField: idField ?? `${kind}ID` } });
};

export const patchClassStudents: Handler = ({ records }, { body }, reply) => {
	const id = records.insert('classStudent', body as RecordData);
	return reply.code(200).send({ rowVersion: records.get('classStudent', id)!.rowVersion });
};
patchClassStudents.created = { kind: 'classStudent', idField: 'classStudentID' };

/**
 * A list whose rows are read by page.
 * @param parent the path parameter that its rows have as a field
 */
export const lists =
	(
		kind: string,
		field: string,
		rowOf: (record: StoredRecord) => RecordData = ({ data }) => data,
		parent?: string,
	): Handler =>
	(context, { query, params }) => {
		const value = (params as Record<string, number>)[parent ?? '']!;
		const within = parent === undefined ? [] : [{ field: parent, operator: '=', value }];
		const { totalRows, rows } = pageOf(context, kind, query, within);
		return { totalRows, [field]: rows.map((row) => ({ rowNum: row.rowNum, ...rowOf(row) })) };
	};

const recordIn = ({ records }: HandlerContext, kind: string, { params }: FastifyRequest) =>
	records.get(kind, (params as { recordID: number }).recordID);

export const getRecord =
	(kind: string, idField: string): Handler =>
	(context, request, reply) => {
		const record = recordIn(context, kind, request);
		if (!record) return sendNothing(reply);
		return { [idField]: record.id, ...record.data, rowVersion: record.rowVersion };
	};

/** Fields to change as an object, or as a JSON Patch (RFC 6902). */
export const patchRecord =
	(kind: string): Handler =>
	(context, request) => {
		const record = recordIn(context, kind, request);
		if (!record) throw notFound(kind);
		const body = request.body as RecordData | Array<{ path: string; value: unknown }>;
		const fields = Array.isArray(body)
			? Object.fromEntries(body.map(({ path, value }) => [path.slice(1), value]))
			: body;
		context.records.update(kind, record.id, { ...record.data, ...fields });
		return { rowVersion: context.records.get(kind, record.id)!.rowVersion };
	};

export const deleteRecord =
	(kind: string): Handler =>
	(context, request, reply) => {
		const record = recordIn(context, kind, request);
		if (!record) throw notFound(kind);
		context.records.remove(kind, record.id);
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

/** @returns the ID in a path of a bulk request, which is written `/101`, or with the words of its place around it */
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
