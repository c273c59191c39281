// The vocabulary of the area tables: everything that an `*.area.ts` file can say.
import type { IBinaryData } from 'n8n-workflow';

/**
 * The types of a checked value, by the type of its field. The types of fields are those of the API spec's request
 * tables and five of the form: `choice` and `choices` (one and several values of a list), `header` (text that is sent
 * in a header), `address` (below the Base URL, with its query) and `file` (n8n's reference to binary data).
 */
interface ValueByType {
	text: string;
	integer: number;
	number: number;
	boolean: boolean;
	/** ISO 8601 with its offset. */
	dateTime: string;
	uuid: string;
	email: string;
	textList: string[];
	object: object;
	objectList: object[];
	choice: string;
	choices: string[];
	header: string;
	address: string;
	/** Name of the item's binary field, or a binary object from an expression. */
	file: string | IBinaryData;
}

export type ScalarType = keyof ValueByType;

/** What all fields have, of one value or of several. */
interface FieldBase<Name extends string, Type extends string> {
	/** The name in the API spec. */
	name: Name;
	type: Type;
	/** The label on the form and in messages; a table that gives none has it made from the name. */
	label: string;
	/** The tooltip of the label. */
	description?: string;
	/** What the button of a list adds, in the singular; without it, the button uses the label. */
	entryLabel?: string;
	/** The value that the input starts with once the field is on the form; without it, the input is empty. */
	default?: string | number | boolean | object;
	/** Of an object, one field must have a value: without any, the record would set nothing. */
	required?: boolean;
	/** A value in the query of an address may be empty, and so may a list of objects that is given on purpose. */
	mayBeEmpty?: boolean;
	/** The field is shown, and read, only while fields before it, on the same level, have one of these values. */
	displayedWhen?: DisplayConditions;
}

export interface Choice<Value extends string = string> {
	value: Value;
	name: string;
	description?: string;
}

export interface ScalarField<Name extends string = string, Type extends ScalarType = ScalarType>
	extends FieldBase<Name, Type> {
	/** A value that a person might give: it is shown in the empty input, and in the sample of the JSON. */
	example?: ValueByType[Type];
	/** The smallest allowed value of an integer. */
	min?: number;
	/** The largest allowed value of an integer. */
	max?: number;
	/**
	 * The allowed values of a `choice` or of `choices`. For a text, the values that the form offers: an expression may
	 * give others.
	 */
	choices?: readonly Choice[];
	/** Refuses expressions, as n8n's property of that name, since other fields are shown or hidden by the value. */
	noDataExpression?: boolean;
	/** Beside the IDs in the address, it names the record that is changed. */
	isName?: boolean;
	/** The text is a path in the service. `example` shows its shape: an ID alone is not a path. */
	isPath?: boolean;
	/** An object may also be a list. */
	mayBeList?: boolean;
	/** The text may be a date, and then it must be one that exists. */
	isDate?: boolean;
	/** The date and time are sent in UTC. */
	inUtc?: boolean;
	/** What a number means: a code of the agency's, or another record, which an empty value does not name. */
	standsFor?: 'code' | 'record';
	/** For the date and time at which something ends: the name of the field with its start. */
	startField?: string;
}

/** When n8n shows an input (`displayOptions.show`): the allowed values of other fields, by their names. */
export type DisplayConditions = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

interface CompositeField<Type extends 'group' | 'objects'> extends FieldBase<string, Type> {
	fields: readonly ScalarField[];
}

/** An object inside the body, such as `notificationModel`, which is a group of its own on the form. */
export type GroupField = CompositeField<'group'>;

/** A list of objects, such as `path` of a license patch. */
export type ObjectsField = CompositeField<'objects'>;

/** A field that has one input on the form; a group has one for each of its fields. */
export type InputField = ScalarField | ObjectsField;

export type Field = InputField | GroupField;

export const namesOf = (fields: ReadonlyArray<{ name: string }>): string[] =>
	fields.map(({ name }) => name);

type ScalarAttributes<Type extends ScalarType> = Partial<
	Omit<ScalarField<string, Type>, 'name' | 'type'>
>;

/**
 * `stationNumber` → "Station Number", `address1` → "Address 1", `shiftID` → "Shift ID".
 * @param name a field name of the API spec
 */
const humanize = (name: string): string =>
	name
		.replace(/[._]+/g, ' ')
		.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])|[a-z](?=\d)/g, '$& ')
		.replace(/(?<=^| )./g, (first) => first.toUpperCase());

/** Refuses misspelled attributes, which TypeScript accepts where it infers the type of an object. */
type OnlyKnown<Attributes, Known> = Attributes &
	Readonly<Record<Exclude<keyof Attributes, keyof Known>, never>>;

/** The result's type keeps the field's name, type, choices and default, from which ValuesOf derives its values. */
const scalar =
	<Type extends ScalarType>(type: Type) =>
	<Name extends string, const Attributes extends ScalarAttributes<Type> = ScalarAttributes<Type>>(
		name: Name,
		attributes?: OnlyKnown<Attributes, ScalarAttributes<Type>>,
	): ScalarField<Name, Type> & NoInfer<Attributes> => ({
		name,
		type,
		label: humanize(name),
		...(attributes as Attributes),
	});

export const text = scalar('text');
export const integer = scalar('integer');
export const number = scalar('number');
export const boolean = scalar('boolean');
export const dateTime = scalar('dateTime');
export const uuid = scalar('uuid');
export const email = scalar('email');
/** A list of texts. */
export const textList = scalar('textList');
/** An object, or with objectList() a list of objects, whose inner fields the API spec does not show. */
export const object = scalar('object');
export const objectList = scalar('objectList');
/** One value, or with choices() several values, of a list. */
export const choice = scalar('choice');
export const choices = scalar('choices');
export const header = scalar('header');
export const address = scalar('address');
export const file = scalar('file');

const composite =
	<Type extends 'group' | 'objects'>(type: Type) =>
	(name: string, attributes: Partial<CompositeField<Type>> & Pick<ObjectsField, 'fields'>) =>
		({ name, type, label: humanize(name), ...attributes }) as CompositeField<Type>;

/** An object with the fields that the API spec shows. */
export const group = composite('group');
/** A list of such objects. */
export const objects = composite('objects');

/** An ID that must be given, a whole number, of a record that no operation of the API spec lists. */
export const unlistedId = (
	name: string,
	description: string,
	attributes: ScalarAttributes<'integer'> = {},
) =>
	integer(name, {
		min: 1,
		required: true,
		example: 101,
		description: `${description}. Find it in the agency's records system; no operation of these nodes lists it.`,
		...attributes,
	});

type ValueOf<AnyField> = AnyField extends {
	type: infer Type extends 'choice' | 'choices';
	choices: ReadonlyArray<Choice<infer Value>>;
}
	? { choice: Value; choices: readonly Value[] }[Type]
	: AnyField extends { type: infer Type extends ScalarType }
		? ValueByType[Type]
		: never;

/** The checked values of fields, by name. A field with a default always has a value, the others may have none. */
export type ValuesOf<Fields extends readonly ScalarField[]> = {
	[Each in Extract<Fields[number], { default: unknown }> as Each['name']]: ValueOf<Each>;
} & {
	[Each in Exclude<Fields[number], { default: unknown }> as Each['name']]?: ValueOf<Each>;
};

/** The field with which a list numbers its rows. */
export const rowNumber = integer('rowNum', { label: 'Row Number' });

/**
 * The field `op` of bulk patches, whose values the API spec leaves open in every area that has them. The one published
 * example adds; what replaces may take something away.
 */
export const patchOperation = text('op', {
	label: 'Patch Operation',
	default: 'add',
	required: true,
	example: 'add',
	choices: [
		{ value: 'add', name: 'Add' },
		{ value: 'replace', name: 'Replace' },
	],
	description:
		"What the patch does, sent as 'op'. The allowed values are not documented: use an expression to send any other.",
});

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Method and path as in the API spec's table "Agency operations"; `{…}` stands for an ID. Of an operation that the API
 * spec does not show, the item gives the path, which is sent as it is (RFC 6570 §3.2.3).
 */
export type Route = `${Method} ${`/${string}` | '{+path}'}`;

/** Whether the API spec shows the operation. */
export const isDocumented = ({ route }: { route: Route }): boolean => !route.endsWith('{+path}');

/** What a circuit of its own belongs to: requests for other paths may well succeed. */
export const circuitOf = (operation: Operation): string => operation.circuit ?? operation.route;

/** Whether a request may make a new record, each time that it is sent. */
export const isCreating = ({ route }: { route: Route }): boolean => route.startsWith('POST ');

/** Whether a request may change records in the service. */
export const isWriting = ({ route }: { route: Route }): boolean => !route.startsWith('GET ');

interface OperationBase {
	/** n8n's value of the operation, such as `create`; no two operations of a resource have the same. */
	name: string;
	/** What the Operation dropdown shows, such as "Get Many". */
	label: string;
	/** The line in n8n's node panel, in sentence case, such as "Get many vendors". */
	action: string;
	description: string;
	route: Route;
	/** The name of its circuit and in messages, if that is not the route: method and Path as the form has them. */
	circuit?: string;
	/** The API spec's header profile: A requires a Content-Type even without a body. */
	headerProfile: 'A' | 'B';
	/** Whether the API spec lists an optional `ETag` request header for this operation. */
	etag: boolean;
	/** The status of success that the API spec names, if it shows the operation; any other 2xx counts as well. */
	successStatus?: 200 | 201 | 204;
	/** What people must know before they use the operation, such as that it is deprecated. */
	notice?: string;
	/** The IDs in the path, in its order; all are required. */
	ids?: readonly ScalarField[];
	/** The fields of the record that is sent, if one is; of a bulk patch those of one patch. */
	body?: readonly Field[];
	/** Of a list that the trigger watches: each poll compares its rows with those of the last one. */
	isWatched?: boolean;
}

/** A field of a response, with the type that the API spec declares. */
export type ResponseField = ScalarField | GroupField;

/**
 * The field that a successful answer must have; without it, success would be a guess. An `integer`, `number` or `text`
 * is an ID, a `group` is the record itself.
 */
export type ReturnedField = ScalarField<string, 'integer' | 'number' | 'text'> | GroupField;

/** One request for each item, answered with one object: creates and reads one record. */
export interface SingleOperation extends OperationBase {
	kind: 'single';
	returns: ReturnedField;
}

/** Reads a list; its query fields are the API spec's "List query parameters". */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** The name of the list of rows in the response; a setting can give another. */
	rowsKey: string;
	/** Whether the API spec lists `limit`, `offset` and the other list parameters for this operation. */
	paged: boolean;
	/** The field with the ID of a row's record; without it, rows can only be told apart by all their values. */
	idField?: string;
	/** All fields of a row; none where they are not known. */
	columns: readonly ScalarField[];
	/** The names of the most useful fields, at most ten; without them a row has so few that all are returned. */
	simplified?: readonly string[];
}

/** Many items share one request, whose response has one result for each path. */
export interface BulkOperation extends OperationBase {
	kind: 'bulk';
	/** The fields of one patch, from the API spec's "bulk patch item" table. */
	body: readonly Field[];
	/** The name of the body field whose entries have a `path`. */
	pathsField: string;
	/** The name of the list of results in the response; without it, the response itself is the list. */
	resultsKey?: string;
	/** The name of the field with the HTTP status in each result. */
	statusField: string;
}

/** Sends one file for each item, as multipart form data. */
export interface UploadOperation extends OperationBase {
	kind: 'upload';
	returns: ReturnedField;
	/** The other fields of the response. */
	alsoReturns: readonly ScalarField[];
	/** The one of them with the size of the file, in bytes. */
	sizeField: string;
}

/** Gets a response whose body is empty or that the API spec does not show. */
export interface EmptyOperation extends OperationBase {
	kind: 'empty';
	/** The output item when the response has no body. */
	output: Readonly<Record<string, boolean>>;
}

export type Operation =
	| SingleOperation
	| ListOperation
	| BulkOperation
	| UploadOperation
	| EmptyOperation;

export interface Resource {
	/** n8n's value of the resource, such as `shiftSchedule`. */
	name: string;
	/** What the Resource dropdown shows: in title case, singular. */
	label: string;
	operations: readonly Operation[];
}

export interface Area {
	resources: readonly Resource[];
}

/** A list that the trigger can watch. */
export interface WatchedList extends Pick<Resource, 'name' | 'label'> {
	operation: ListOperation;
}
