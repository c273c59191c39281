// The operations of sandbox/openapi.yaml with all references resolved, for the generated pages and the contract tests.
import { followReference, readOpenApi, type OpenApiNode as Node } from '../../sandbox/openapi.mts';

/** A JSON schema, as far as the document uses it. */
export interface Schema {
	type?: string | string[];
	format?: string;
	minimum?: number;
	required?: string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

interface Content {
	[mediaType: string]: { schema: Schema };
}

export interface DescribedParameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: Schema;
}

export interface DescribedResponse {
	status: number;
	/** Undefined when the API spec shows no body. */
	schema?: Schema;
}

export interface DescribedOperation {
	operationId: string;
	/** Method and path, as in the tables. */
	request: string;
	tag: string;
	isDeprecated: boolean;
	parameters: DescribedParameter[];
	/** Schemas of the body, by media type. */
	bodies: Readonly<Record<string, Schema>>;
	responses: DescribedResponse[];
}

interface RawOperation {
	operationId: string;
	tags: [string];
	deprecated?: boolean;
	parameters?: DescribedParameter[];
	requestBody?: { content: Content };
	responses: Record<string, { content?: Content }>;
}

const document = readOpenApi();

const withoutReferences = (node: unknown): unknown =>
	JSON.parse(JSON.stringify(node), (_key, value: Node | null) =>
		value?.$ref ? withoutReferences(followReference(document, value)) : value,
	);

const schemasOf = (content: Content = {}): Record<string, Schema> =>
	Object.fromEntries(Object.entries(content).map(([mediaType, { schema }]) => [mediaType, schema]));

const { paths } = withoutReferences(document) as {
	paths: Record<string, Record<string, RawOperation>>;
};

export const describedOperations: readonly DescribedOperation[] = Object.entries(paths).flatMap(
	([path, methods]) =>
		Object.entries(methods).map(([method, raw]) => ({
			operationId: raw.operationId,
			request: `${method.toUpperCase()} ${path}`,
			tag: raw.tags[0],
			isDeprecated: raw.deprecated === true,
			parameters: raw.parameters ?? [],
			bodies: schemasOf(raw.requestBody?.content),
			responses: Object.entries(raw.responses).map(([status, { content }]) => ({
				status: Number(status),
				schema: Object.values(schemasOf(content))[0],
			})),
		})),
);

/** @throws Error when the document does not describe it */
export function describedOperation(request: string): DescribedOperation {
	const found = describedOperations.find((operation) => operation.request === request);
	if (!found) throw new Error(`${request} is not in sandbox/openapi.yaml`);
	return found;
}

/** A field of a body, as its row on a page. */
export interface DescribedField {
	/** Such as `value[].userID`. */
	name: string;
	/** Such as "string, date-time". */
	type: string;
}

function typeOf({ type, format, items }: Schema): string {
	if (type === 'array') return `list of ${typeOf(items!)}`;
	const name = [type].flat().join(' or ');
	return format === undefined ? name : `${name}, ${format}`;
}

/** A schema's fields, nested ones under their path; for a list, the fields of its entries. */
export function fieldsOf({ properties = {}, items }: Schema = {}, path = ''): DescribedField[] {
	if (items) return fieldsOf(items, path === '' ? '' : `${path.slice(0, -1)}[].`);
	return Object.entries(properties).flatMap(([name, field]) => [
		{ name: `${path}${name}`, type: typeOf(field) },
		...fieldsOf(field, `${path}${name}.`),
	]);
}

/** Parameters and fields of the body, each with the name that it has in the request. */
export const requestFields = ({ parameters, bodies }: DescribedOperation): DescribedField[] => [
	...parameters.map(({ name, schema }) => ({ name, type: typeOf(schema) })),
	...Object.values(bodies).flatMap((schema) => fieldsOf(schema)),
];
