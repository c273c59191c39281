// The sandbox's OpenAPI document, read as lists of fields that can be compared.
import { followReference, readOpenApi, type OpenApiNode } from '../../sandbox/openapi.mts';

export interface Schema {
	type?: string;
	format?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	$ref?: string;
}

interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: Schema;
	$ref?: string;
}

interface Body {
	content?: Record<string, { schema: Schema }>;
	$ref?: string;
}

interface RawOperation {
	operationId: string;
	deprecated?: boolean;
	parameters?: Parameter[];
	requestBody?: Body;
	responses: Record<string, Body>;
}

export interface ServiceOperation {
	operationId: string;
	/** Method and path, as in the tables. */
	request: string;
	deprecated: boolean;
	parameters: Parameter[];
	/** Schema of a JSON body. */
	body?: Schema;
	mediaTypes: string[];
	/** The status of success, and the schema of its body. */
	success: number;
	answer?: Schema;
	statuses: number[];
}

const document = readOpenApi();
const { paths } = document as unknown as { paths: Record<string, Record<string, RawOperation>> };

/** Replaces every reference by what it refers to. */
function resolved<Value>(value: Value): Value {
	if (Array.isArray(value)) return value.map((entry: unknown) => resolved(entry)) as Value;
	if (typeof value !== 'object' || value === null) return value;
	const target = followReference(document, value as OpenApiNode);
	if (target !== value) return resolved(target) as Value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, resolved(entry as unknown)]),
	) as Value;
}

const isTokenOperation = (path: string) => path.startsWith('/auth');

/** All agency operations of the document. */
export const serviceOperations: ServiceOperation[] = Object.entries(paths)
	.filter(([path]) => !isTokenOperation(path))
	.flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, raw]) => {
			const {
				operationId,
				deprecated = false,
				parameters = [],
				requestBody,
				responses,
			} = resolved(raw);
			const statuses = Object.keys(responses).map(Number);
			const success = statuses.find((status) => status < 300)!;
			return {
				operationId,
				request: `${method.toUpperCase()} ${path}`,
				deprecated,
				parameters,
				body: requestBody?.content?.['application/json']?.schema,
				mediaTypes: Object.keys(requestBody?.content ?? {}),
				success,
				answer: responses[success]!.content?.['application/json']?.schema,
				statuses,
			};
		}),
	);

/** One word for a schema, as the tables' vocabulary has it. */
function typeOf({ type, format, items }: Schema): string {
	if (type === 'array') return items?.type === 'string' ? 'textList' : 'objectList';
	if (type === 'string') {
		return { 'date-time': 'dateTime', uuid: 'uuid', email: 'email' }[format ?? ''] ?? 'text';
	}
	return type ?? 'any';
}

/** `name: type` of every field: `value/files` inside an object, `path[]/path` inside a list of objects. */
export function bodyFields(schema: Schema | undefined, place = ''): string[] {
	const record = schema?.type === 'array' && place === '' ? schema.items : schema;
	return Object.entries(record?.properties ?? {}).flatMap(([name, field]) => {
		if (field.properties) return bodyFields(field, `${place}${name}/`);
		if (field.items?.properties) return bodyFields(field.items, `${place}${name}[]/`);
		return [`body ${place}${name}: ${typeOf(field)}`];
	});
}

/** `name: type` of every field of the object that a success answers with. */
export const answerFields = ({ answer }: ServiceOperation): string[] =>
	Object.entries(answer?.properties ?? {}).map(([name, field]) => `${name}: ${typeOf(field)}`);

export const parameterFields = ({ parameters }: ServiceOperation): string[] =>
	parameters.map(({ in: place, name, schema }) => `${place} ${name}: ${typeOf(schema)}`);
