// The vocabulary of the area tables: everything an `*.area.ts` file can contain.
import type { IBinaryData } from 'n8n-workflow';

/**
 * The type of a checked value, by the type of its field. Field types come from the API spec's request tables, plus five
 * for the form: `choice` and `choices` (one or several values of a list), `header` (text sent in a header), `address`
 * (a path below the Base URL, with its query) and `file` (n8n's reference to binary data).
 */
interface ValueByType {
	text: string;
	integer: number;
	number: number;
	boolean: boolean;
	/** ISO 8601 with its offset. */
	dateTime: string;
	uuid: string;
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

/** The attributes of every field, whether it holds one value or several. */
interface FieldBase<Name extends string, Type extends string> {
	/** The name in the API spec. */
	name: Name;
	type: Type;
	/** The label on the form and in messages; derived from the name if the table gives none. */
	label: string;
	/** The tooltip of the label. */
	description?: string;
	/** The singular noun on a list's Add button; without it, the button uses the label. */
	entryLabel?: string;
	/** The input's initial value; without it, the input starts empty. */
	default?: string | number | boolean | object;
	/** For an object, at least one of its fields must have a value: without any, the record would set nothing. */
	required?: boolean;
	/** Allows empty values in an address's query, or a list of objects that is deliberately empty. */
	mayBeEmpty?: boolean;
	/** The field is shown and read only while earlier fields on the same level have one of these values. */
	displayedWhen?: DisplayConditions;
}

export interface Choice<Value extends string = string> {
	value: Value;
	name: string;
	description?: string;
}

export interface ScalarField<Name extends string = string, Type extends ScalarType = ScalarType>
	extends FieldBase<Name, Type> {
	/** A realistic value, shown as the empty input's placeholder and in the sample JSON. */
	example?: ValueByType[Type];
	/** The smallest allowed value of an integer. */
	min?: number;
	/** The largest allowed value of an integer. */
	max?: number;
	/**
	 * The allowed values of a `choice` or of `choices`. For a text, the values that the form offers; an expression may
	 * give others.
	 */
	choices?: readonly Choice[];
	/** Refuses expressions, like n8n's property of that name, because the value shows and hides other fields. */
	noDataExpression?: boolean;
	/** Together with the IDs in the path, this field identifies the record to change. */
	identifiesRecord?: boolean;
	/** The text is a path in the service, shaped like `example`: an ID alone is not a path. */
	isPath?: boolean;
	/** An object may also be a list. */
	mayBeList?: boolean;
	/** The text may be a date; if it is one, that date must exist. */
	isDate?: boolean;
	/** The date and time are sent in UTC. */
	inUtc?: boolean;
	/** What the number stands for: an agency code, or the ID of another record (an empty one is refused). */
	standsFor?: 'code' | 'record';
	/** For the date and time when something ends: the name of the field with its start. */
	startField?: string;
}

/** The condition under which n8n shows an input (`displayOptions.show`): allowed values of other fields, by name. */
export type DisplayConditions = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

interface CompositeField<Type extends 'group' | 'objects'> extends FieldBase<string, Type> {
	fields: readonly ScalarField[];
}

/** An object inside the body, such as `notificationModel`; the form shows it as a separate group. */
export type GroupField = CompositeField<'group'>;

/** A list of objects, such as `path` of a license patch. */
export type ObjectsField = CompositeField<'objects'>;

/** A field with one input on the form; a group has one input per field. */
export type InputField = ScalarField | ObjectsField;

export type Field = InputField | GroupField;

export const namesOf = (fields: ReadonlyArray<{ name: string }>) => fields.map(({ name }) => name);

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

/** Rejects misspelled attributes, which TypeScript accepts when it infers an object's type. */
type OnlyKnown<Attributes, Known> = Attributes &
	Readonly<Record<Exclude<keyof Attributes, keyof Known>, never>>;

/** The result's type keeps the field's name, type, choices and default, from which ValuesOf derives the value types. */
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
/** A list of texts. */
export const textList = scalar('textList');
/** An object whose inner fields the API spec does not show; objectList() is a list of such objects. */
export const object = scalar('object');
export const objectList = scalar('objectList');
/** One value from a list; choices() allows several. */
export const choice = scalar('choice');
export const choices = scalar('choices');
export const header = scalar('header');
export const address = scalar('address');
export const file = scalar('file');

const composite =
	<Type extends 'group' | 'objects'>(type: Type) =>
	(name: string, attributes: Partial<CompositeField<Type>> & Pick<ObjectsField, 'fields'>) =>
		({ name, type, label: humanize(name), ...attributes }) as CompositeField<Type>;

/** An object whose inner fields the API spec shows. */
export const group = composite('group');
/** A list of such objects. */
export const objects = composite('objects');

type ValueOf<AnyField> = AnyField extends {
	type: infer Type extends 'choice' | 'choices';
	choices: ReadonlyArray<Choice<infer Value>>;
}
	? { choice: Value; choices: readonly Value[] }[Type]
	: AnyField extends { type: infer Type extends ScalarType }
		? ValueByType[Type]
		: never;

/** The checked values of fields, by name. Fields with a default always have a value; the others may not. */
export type ValuesOf<Fields extends readonly ScalarField[]> = {
	[Each in Extract<Fields[number], { default: unknown }> as Each['name']]: ValueOf<Each>;
} & {
	[Each in Exclude<Fields[number], { default: unknown }> as Each['name']]?: ValueOf<Each>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Method and path as in the API spec's table "Agency operations"; `{…}` stands for an ID. If the API spec does not show
 * the operation, the item gives the path, which is sent as is (RFC 6570 §3.2.3).
 */
export type Route = `${Method} ${`/${string}` | '{+path}'}`;

/** Whether the API spec shows the operation. */
export const isDocumented = ({ route }: { route: Route }): boolean => !route.endsWith('{+path}');

/** The key of the operation's circuit breaker: when it is open, requests for other paths may still succeed. */
export const circuitOf = (operation: Operation): string => operation.circuit ?? operation.route;

/** Whether a request may create another record each time it is sent. */
export const isCreating = ({ route }: { route: Route }): boolean => route.startsWith('POST ');

/** Whether a request may change records in the service. */
export const isWriting = ({ route }: { route: Route }): boolean => !route.startsWith('GET ');

interface OperationBase {
	/** n8n's value of the operation, such as `create`; unique within a resource. */
	name: string;
	/** The entry in the Operation dropdown, such as "Get Many". */
	label: string;
	/** The line in n8n's node panel, in sentence case, such as "Get many vendors". */
	action: string;
	description: string;
	route: Route;
	/** Replaces the route as the name of the circuit and in messages: the method and path given on the form. */
	circuit?: string;
	/** The API spec's header profile: A requires a Content-Type even without a body. */
	headerProfile: 'A' | 'B';
	/** Whether the API spec lists an optional `ETag` request header for this operation. */
	etag: boolean;
	/** The success status in the API spec, if it shows the operation; any other 2xx counts as a success, too. */
	successStatus?: 200 | 201 | 204;
	/** A warning to read before using the operation, such as that it is deprecated. */
	notice?: string;
	/** The IDs in the path, in path order; all are required. */
	ids?: readonly ScalarField[];
	/** The fields of the record to send, if any; for a bulk patch, the fields of one patch. */
	body?: readonly Field[];
	/** Whether equal records are ordinary, such as the same notice each week: 'Send Once' compares keys alone by default. */
	repeats?: boolean;
	/** The list is read by the trigger, which compares its rows with those of the last poll. */
	isWatched?: boolean;
}

/** A field of a response, with the type that the API spec declares. */
export type ResponseField = ScalarField | GroupField;

/**
 * The field that a successful response must have; without it, success would be a guess. An `integer`, `number` or
 * `text` is an ID; a `group` is the record itself.
 */
export type ReturnedField = ScalarField<string, 'integer' | 'number' | 'text'> | GroupField;

/** Creates, uploads or reads one record: each item is one request, and its response is one object. */
export interface SingleOperation extends OperationBase {
	/** An upload sends a file as multipart form data. */
	kind: 'single' | 'upload';
	returns: ReturnedField;
	/** The other fields of the response. */
	alsoReturns?: readonly ScalarField[];
	/** For an upload: the name of the field among them with the file's size in bytes. */
	sizeField?: string;
}

/** Reads a list; its query fields are the API spec's "List query parameters". */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** The name of the list of rows in the response; a setting can override it. */
	rowsKey: string;
	/** Whether the API spec lists `limit`, `offset` and the other list parameters for this operation. */
	paged: boolean;
	/** The field with the ID of a row's record; without it, only all values together distinguish rows. */
	idField?: string;
	/** All fields of a row; empty if they are not known. */
	columns: readonly ScalarField[];
	/** The names of the most useful fields (at most ten); omitted if a row has few enough to return them all. */
	simplified?: readonly string[];
}

/** Many items share one request; its response has one result per path. */
export interface BulkOperation extends OperationBase {
	kind: 'bulk';
	/** The fields of one patch, from the API spec's "bulk patch item" table. */
	body: readonly Field[];
	/** The name of the body field whose entries each have a `path`. */
	pathsField: string;
	/** The name of the list of results in the response; without it, the response itself is the list. */
	resultsKey?: string;
	/** The name of the field with the HTTP status in each result. */
	statusField: string;
}

/** Expects a response whose body is empty or missing from the API spec. */
export interface EmptyOperation extends OperationBase {
	kind: 'empty';
	/** The output item when the response has no body. */
	output: Readonly<Record<string, boolean>>;
	/** Why two rows of a run may not name the same record, and what to do; by default, that one may undo the other. */
	repeatedRule?: string;
}

export type Operation = SingleOperation | ListOperation | BulkOperation | EmptyOperation;

export interface Resource {
	/** n8n's value of the resource, such as `shiftSchedule`. */
	name: string;
	/** The entry in the Resource dropdown: title case, singular. */
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
