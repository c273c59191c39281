// The service's OpenAPI document, as lists of fields that can be compared.
import {
	describedOperations,
	type DescribedOperation,
	type Schema,
} from '../../scripts/docs/openapi.mts';

export type { Schema };

export interface ServiceOperation extends DescribedOperation {
	/** Schema of a JSON body. */
	body?: Schema;
	/** The success status and the schema of its body. */
	success: number;
	response?: Schema;
}

/** All operations of the document except sign-ins. */
export const serviceOperations: ServiceOperation[] = describedOperations
	.filter(({ tag }) => tag !== 'Authorization')
	.map((operation) => {
		const { status, schema } = operation.responses.find((response) => response.status < 300)!;
		return {
			...operation,
			body: operation.bodies['application/json'],
			success: status,
			response: schema,
		};
	});

/** One word for a schema, in the tables' vocabulary. */
function typeOf({ type, format, items }: Schema): string {
	if (type === 'array') return items?.type === 'string' ? 'textList' : 'objectList';
	if (type === 'string') return { 'date-time': 'dateTime', uuid: 'uuid' }[format ?? ''] ?? 'text';
	return typeof type === 'string' ? type : 'any';
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

/** `name: type` of every field of a success response's object, or of its list's entries. */
export const responseFields = (schema: Schema | undefined): string[] =>
	Object.entries((schema?.items ?? schema)?.properties ?? {}).flatMap(([name, field]) =>
		field.properties
			? responseFields(field).map((inner) => `${name}/${inner}`)
			: [`${name}: ${typeOf(field)}`],
	);

export const parameterFields = ({ parameters }: ServiceOperation): string[] =>
	parameters.map(({ in: place, name, schema }) => `${place} ${name}: ${typeOf(schema)}`);
