// The vocabulary of the area tables: what an `*.area.ts` file may say, and nothing else.

/**
 * The value types of the interface's request tables, plus three of the form's own: `choice`, one of a list,
 * `header`, text that travels in a header line, and `file`, n8n's reference to binary data.
 */
export type ScalarType =
	| 'text'
	| 'integer'
	| 'number'
	| 'boolean'
	| 'dateTime'
	| 'uuid'
	| 'email'
	| 'textList'
	| 'object'
	| 'objectList'
	| 'choice'
	| 'header'
	| 'file';

/** What only the form needs; nothing here changes a request. */
export interface FieldNotes {
	/** The label on the form; without it the name is humanized (`stationNumber` → "Station Number"). */
	label?: string;
	/** Sentence under the label's question mark. */
	description?: string;
	/** Example in the empty input, beginning with "e.g.". */
	placeholder?: string;
	/** What the button of a list adds, in the singular; without it the label. */
	entry?: string;
	/** Value the form starts with once the field is added. */
	default?: string | number | boolean;
}

export interface Choice {
	value: string;
	name: string;
	description?: string;
}

export interface ScalarField extends FieldNotes {
	name: string;
	type: ScalarType;
	/** Smallest allowed value of an integer or number. */
	min?: number;
	required?: boolean;
	/** The list of a `choice`. */
	choices?: readonly Choice[];
	/** Never an expression: other fields are shown or hidden by it. */
	fixed?: boolean;
	/** Shown only while this boolean field, on the same level, is off. */
	hiddenBy?: string;
}

/** An array of objects, such as `path` of a license patch. */
export interface ObjectsField extends FieldNotes {
	name: string;
	type: 'objects';
	fields: readonly ScalarField[];
	required?: boolean;
}

/** An object of its own inside the body, such as `notificationModel`; a group of its own on the form. */
export interface GroupField extends Omit<FieldNotes, 'default' | 'placeholder'> {
	name: string;
	type: 'group';
	fields: readonly ScalarField[];
}

export type Field = ScalarField | ObjectsField | GroupField;

type Notes = Omit<ScalarField, 'name' | 'type'>;

const scalar =
	(type: ScalarType) =>
	(name: string, notes: Notes = {}): ScalarField => ({ name, type, ...notes });

export const text = scalar('text');
export const integer = scalar('integer');
export const number = scalar('number');
export const boolean = scalar('boolean');
export const dateTime = scalar('dateTime');
export const uuid = scalar('uuid');
export const email = scalar('email');
/** An array of strings. */
export const textList = scalar('textList');
/** An object, or an array of objects, whose inner fields the interface does not show. */
export const object = scalar('object');
export const objectList = scalar('objectList');
export const choice = (
	name: string,
	choices: readonly Choice[],
	notes: Notes = {},
): ScalarField => ({ name, type: 'choice', choices, ...notes });

export const header = scalar('header');
export const file = scalar('file');

/** An identifier in the path: a whole number from 1 up, so that the form's empty 0 is never sent. */
export const id = (name: string, notes: Notes = {}): ScalarField =>
	integer(name, { min: 1, required: true, ...notes });

export const objects = (
	name: string,
	fields: readonly ScalarField[],
	notes: Omit<ObjectsField, 'name' | 'type' | 'fields'> = {},
): ObjectsField => ({ name, type: 'objects', fields, ...notes });

export const group = (
	name: string,
	fields: readonly ScalarField[],
	notes: Omit<GroupField, 'name' | 'type' | 'fields'> = {},
): GroupField => ({ name, type: 'group', fields, ...notes });

/** The field `op` of the bulk patches: the same open question in every area that has them. */
export const patchOperation = text('op', {
	label: 'Patch Operation',
	default: 'replace',
	required: true,
	description:
		"What the patch does with the paths, sent as 'op'. The service does not state its allowed values.",
});

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface OperationBase {
	/** n8n's value of the operation, such as `create`; also the key that tells operations of a resource apart. */
	name: string;
	/** What the Operation dropdown shows, such as "Get Many". */
	label: string;
	/** Sentence-case line in the node panel, such as "Get many vendors". */
	action: string;
	description: string;
	/** Method and path as in the interface's table "Agency operations"; `{…}` names a field of `ids`. */
	request: `${Method} /${string}`;
	/** Header profile of the interface: A requires a Content-Type also without a body. */
	profile: 'A' | 'B';
	/** Whether the interface lists an optional `ETag` request header for this operation. */
	etag: boolean;
	/** What the user must know before choosing it, such as that it is deprecated. */
	notice?: string;
	/** Path parameters, in the path's order; all required. */
	ids?: readonly ScalarField[];
}

/** One request an item, one object back: create and read. */
export interface ItemOperation extends OperationBase {
	kind: 'item';
	body?: readonly Field[];
	/** Key that the answer must have; without it success would be a guess. */
	returns: string;
}

/** A paged list: query fields come from the interface's "List query parameters". */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** Key of the array in the answer. */
	key: string;
	/** Whether the interface lists `limit`, `offset` and the other list parameters for it. */
	paged: boolean;
	/** Fields of an item that a filter may name ("any updatable field"). */
	columns?: readonly string[];
}

/** Many items travel in one request; the answer holds one result a path. */
export interface BulkOperation extends OperationBase {
	kind: 'bulk';
	/** Fields of one patch, in the interface's "bulk patch item" table. */
	body: readonly Field[];
	/** Name of the body field whose entries carry the `path`s. */
	pathsField: string;
	/** Key of the result array in the answer; without it the answer is the array itself. */
	key?: string;
	/** Name of the HTTP-style status in each result. */
	statusField: string;
}

/** One file an item, as multipart form data. */
export interface UploadOperation extends OperationBase {
	kind: 'upload';
	/** Key that the answer must have. */
	returns: string;
}

/** An answer whose body is empty or not shown: what the output item says when there is none. */
export interface EmptyOperation extends OperationBase {
	kind: 'empty';
	body?: readonly Field[];
	output: Readonly<Record<string, boolean>>;
	/** The status that means success: without a body it is all the evidence there is. */
	success: 200 | 201 | 204;
}

export type Operation =
	| ItemOperation
	| ListOperation
	| BulkOperation
	| UploadOperation
	| EmptyOperation;

export interface Resource {
	/** n8n's value, such as `shiftSchedule`. */
	name: string;
	/** Title Case, singular. */
	label: string;
	operations: readonly Operation[];
}

export interface Area {
	/** First path segment, such as `agencyvendors`. */
	segment: string;
	resources: readonly Resource[];
}
