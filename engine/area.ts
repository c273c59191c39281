// The vocabulary of the area tables: what an `*.area.ts` file may say, and nothing else.
import type { IBinaryData } from 'n8n-workflow';

/**
 * The value types of the interface's request tables, plus four of the form's own: `choice` and `choices`, one and
 * several of a list, `header`, text that travels in a header line, and `file`, n8n's reference to binary data.
 * Beside each: what a checked value of it is.
 */
export interface ValueByType {
	text: string;
	integer: number;
	number: number;
	boolean: boolean;
	/** ISO 8601 with offset. */
	dateTime: string;
	uuid: string;
	email: string;
	textList: string[];
	object: object;
	objectList: object[];
	choice: string;
	choices: string[];
	header: string;
	/** Name of the item's binary field, or a binary object from an expression. */
	file: string | IBinaryData;
}

export type ScalarType = keyof ValueByType;

/** What only the form needs; nothing here changes a request. */
export interface FieldNotes {
	/** The label on the form; without it the name is humanized (`stationNumber` → "Station Number"). */
	label?: string;
	/** Sentence under the label's question mark. */
	description?: string;
	/** What the button of a list adds, in the singular; without it the label. */
	entry?: string;
	/** Value the form starts with once the field is added; without it the input is empty. */
	default?: string | number | boolean | readonly string[];
}

export interface Choice {
	value: string;
	name: string;
	description?: string;
}

export interface ScalarField<Name extends string = string, Type extends ScalarType = ScalarType>
	extends FieldNotes {
	name: Name;
	type: Type;
	/** What a person might give: shown in the empty input, and in the sample of the JSON. */
	example?: ValueByType[Type];
	/** Smallest allowed value of an integer. */
	min?: number;
	/** Largest allowed value of an integer. */
	max?: number;
	required?: boolean;
	/** The list of a `choice` or of `choices`. */
	choices?: readonly Choice[];
	/** Of a text: values that the form offers, beside one of the person's own. */
	suggestions?: readonly Choice[];
	/** Never an expression: other fields are shown or hidden by it. */
	fixed?: boolean;
	/** Shown only while fields before it, on the same level, have one of these values. */
	shownFor?: ShownFor;
	/** Of an option: the one without which it does nothing. */
	needs?: string;
	/** Of a date and time: the field with the beginning of what it ends. */
	after?: string;
}

/** Values by the names of fields. */
export type ShownFor = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

/** An array of objects, such as `path` of a license patch. */
export interface ObjectsField extends FieldNotes {
	name: string;
	type: 'objects';
	fields: readonly ScalarField[];
	required?: boolean;
	shownFor?: ShownFor;
}

/** An object of its own inside the body, such as `notificationModel`; a group of its own on the form. */
export interface GroupField extends Omit<FieldNotes, 'default' | 'entry'> {
	name: string;
	type: 'group';
	fields: readonly ScalarField[];
}

export type Field = ScalarField | ObjectsField | GroupField;

type Notes<Type extends ScalarType> = Omit<ScalarField<string, Type>, 'name' | 'type'>;

/** A field's name, type, choices and default stay known to TypeScript: see ValuesOf. */
const scalar =
	<Type extends ScalarType>(type: Type) =>
	<Name extends string, const Given extends Notes<Type> = Notes<Type>>(
		name: Name,
		notes?: Given,
	): ScalarField<Name, Type> & NoInfer<Given> => ({ name, type, ...(notes as Given) });

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
export const choice = <
	Name extends string,
	const Choices extends readonly Choice[],
	const Given extends Notes<'choice'> = Notes<'choice'>,
>(
	name: Name,
	choices: Choices,
	notes?: Given,
) => scalar('choice')(name, { ...(notes as Given), choices });

/** Several of a list. */
export const choices = scalar('choices');
export const header = scalar('header');
export const file = scalar('file');

/** An identifier that must be given: a whole number from 1 up. */
export const id = <Name extends string>(name: Name, notes: Notes<'integer'> = {}) =>
	integer(name, { min: 1, required: true, example: 101, ...notes });

type ValueOf<OneField> = OneField extends {
	type: 'choice';
	choices: ReadonlyArray<{ value: infer Value }>;
}
	? Value
	: OneField extends { type: infer Type extends ScalarType }
		? ValueByType[Type]
		: never;

/** The checked values of fields, by name: a field with a default always has one, the others may be left out. */
export type ValuesOf<Fields extends readonly ScalarField[]> = {
	[One in Fields[number] as One extends { default: unknown } ? One['name'] : never]: ValueOf<One>;
} & {
	[One in Fields[number] as One extends { default: unknown } ? never : One['name']]?: ValueOf<One>;
};

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
	example: 'replace',
	suggestions: [{ value: 'replace', name: 'Replace' }],
	description:
		"What the patch does, sent as 'op'. The service does not state which values it allows: with 'Custom' you can send any other.",
});

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Method and path as in the interface's table "Agency operations"; `{…}` is the place of an ID. */
export type RequestLine = `${Method} /${string}`;

/** Whether a request may change something in the service's books. */
export const isWriting = ({ request }: { request: RequestLine }): boolean =>
	!request.startsWith('GET ');

interface OperationBase {
	/** n8n's value of the operation, such as `create`; also the key that tells operations of a resource apart. */
	name: string;
	/** What the Operation dropdown shows, such as "Get Many". */
	label: string;
	/** Sentence-case line in the node panel, such as "Get many vendors". */
	action: string;
	description: string;
	request: RequestLine;
	/** Header profile of the interface: A requires a Content-Type also without a body. */
	profile: 'A' | 'B';
	/** Whether the interface lists an optional `ETag` request header for this operation. */
	etag: boolean;
	/** What the user must know before choosing it, such as that it is deprecated. */
	notice?: string;
	/** Path parameters, in the path's order; all required. */
	ids?: readonly ScalarField[];
}

/**
 * What the answer must hold, with the type the interface declares; without it success would be a guess. An
 * `integer`, `number` or `text` is an ID, an `object` the record itself.
 */
export type Returned = ScalarField<string, 'integer' | 'number' | 'text' | 'object'>;

/** One request an item, one object back: create and read. */
export interface ItemOperation extends OperationBase {
	kind: 'item';
	body?: readonly Field[];
	returns: Returned;
}

/** A paged list: query fields come from the interface's "List query parameters". */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** Key of the array in the answer. */
	key: string;
	/** Whether the interface lists `limit`, `offset` and the other list parameters for it. */
	paged: boolean;
	/** Field of a row that names its record; without it only all it holds tells one row from another. */
	rowID?: string;
	/** All fields of a row. */
	columns: readonly string[];
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
	returns: Returned;
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

/** The fields that a request line names in braces, in its order. */
type IdsOf<Line extends string> = Line extends `${string}{${infer Name}}${infer Rest}`
	? readonly [ScalarField<Name, 'integer'>, ...IdsOf<Rest>]
	: readonly [];

/** An operation whose `ids` are those of its request line, or it does not compile. */
export const operation = <Line extends RequestLine>(
	table: Operation & { request: Line } & (IdsOf<Line> extends readonly []
			? { ids?: never }
			: { ids: IdsOf<Line> }),
): Operation => table;

export interface Resource {
	/** n8n's value, such as `shiftSchedule`. */
	name: string;
	/** Title Case, singular. */
	label: string;
	operations: readonly Operation[];
}

export interface Area {
	resources: readonly Resource[];
}
