// The operations of sandbox/openapi.yaml, with every reference followed: for the pages that are made of them, and
// for the contract tests.
import { followReference, readOpenApi, type OpenApiNode as Node } from '../../sandbox/openapi.mts';

/** A JSON schema, as far as the document uses it. */
export interface Schema {
	type?: string | string[];
	format?: string;
	description?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

interface Described {
	/** What the document says of it, as one line; '' if it says nothing. */
	notes: string;
}

export interface DescribedParameter extends Described {
	name: string;
	place: 'path' | 'query' | 'header';
	isRequired: boolean;
	schema: Schema;
}

/** What a request, or an answer, holds. */
export interface DescribedContent extends Described {
	mediaType: string;
	schema: Schema;
}

export interface DescribedAnswer extends Described {
	status: number;
	/** Undefined when the interface shows no body. */
	schema?: Schema;
}

export interface DescribedOperation extends Described {
	operationId: string;
	/** Method and path, as in the tables. */
	request: string;
	tag: string;
	title: string;
	isDeprecated: boolean;
	parameters: DescribedParameter[];
	bodies: DescribedContent[];
	answers: DescribedAnswer[];
}

interface RawOperation {
	operationId: string;
	tags?: [string];
	summary?: string;
	description?: string;
	deprecated?: boolean;
	parameters?: Array<{
		name: string;
		in: DescribedParameter['place'];
		required?: boolean;
		description?: string;
		schema: Schema;
	}>;
	requestBody?: { content: Record<string, { schema: Schema }> };
	responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
}

const document = readOpenApi();

function withoutReferences<Value>(value: Value): Value {
	if (Array.isArray(value)) {
		return value.map((entry: unknown) => withoutReferences(entry)) as Value;
	}
	if (typeof value !== 'object' || value === null) return value;
	const target = followReference(document, value as Node);
	if (target !== value) return withoutReferences(target) as Value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, withoutReferences(entry as unknown)]),
	) as Value;
}

const oneLine = (text = ''): string => text.trim().replace(/\s+/g, ' ');

const contentOf = (content: Record<string, { schema: Schema }> = {}): DescribedContent[] =>
	Object.entries(content).map(([mediaType, { schema }]) => ({
		mediaType,
		notes: oneLine(schema.description),
		schema,
	}));

/** @throws Error when it has no tag: it would be on no page */
function operationOf(request: string, raw: RawOperation): DescribedOperation {
	const [tag] = raw.tags ?? [];
	if (tag === undefined) throw new Error(`${request} has no tag in sandbox/openapi.yaml`);
	return {
		operationId: raw.operationId,
		request,
		tag,
		title: oneLine(raw.summary),
		notes: oneLine(raw.description),
		isDeprecated: raw.deprecated === true,
		parameters: (raw.parameters ?? []).map(
			({ name, in: place, required, description, schema }) => ({
				name,
				place,
				isRequired: required === true,
				notes: oneLine(description),
				schema,
			}),
		),
		bodies: contentOf(raw.requestBody?.content),
		answers: Object.entries(raw.responses).map(([status, { description, content }]) => ({
			status: Number(status),
			notes: oneLine(description),
			schema: contentOf(content)[0]?.schema,
		})),
	};
}

const { info, paths } = withoutReferences(document) as unknown as {
	info: { title: string; description: string };
	paths: Record<string, Record<string, RawOperation>>;
};

const operations = Object.entries(paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, raw]) =>
		operationOf(`${method.toUpperCase()} ${path}`, raw),
	),
);

/** The document as it describes the service. */
export const service = {
	title: info.title,
	/** Markdown. */
	introduction: info.description,
	/** Those of the operations, by the alphabet. */
	tags: [...new Set(operations.map(({ tag }) => tag))].sort(),
	operations,
};

/** @throws Error when the document does not describe it */
export function describedOperation(request: string): DescribedOperation {
	const found = service.operations.find((operation) => operation.request === request);
	if (!found) throw new Error(`${request} is not in sandbox/openapi.yaml`);
	return found;
}

/** A field of a body, as its row on a page. */
export interface DescribedField extends Described {
	/** Such as `value[].userID`. */
	name: string;
	/** Such as "string, date-time". */
	type: string;
}

export function typeOf({ type, format, items }: Schema): string {
	if (type === 'array') return `list of ${typeOf(items!)}`;
	const name = [type].flat().join(' or ');
	return format === undefined ? name : `${name}, ${format}`;
}

/** A schema's fields, nested ones under their path; of a list those of its entries. */
export function fieldsOf({ properties = {}, items }: Schema = {}, path = ''): DescribedField[] {
	if (items) return fieldsOf(items, path === '' ? '' : `${path.slice(0, -1)}[].`);
	return Object.entries(properties).flatMap(([name, field]) => [
		{ name: `${path}${name}`, type: typeOf(field), notes: oneLine(field.description) },
		...fieldsOf(field, `${path}${name}.`),
	]);
}

/** Parameters and fields of the body, each with the name that it has in the request. */
export const requestFields = ({ parameters, bodies }: DescribedOperation): DescribedField[] => [
	...parameters.map(({ name, notes, schema }) => ({ name, type: typeOf(schema), notes })),
	...bodies.flatMap(({ schema }) => fieldsOf(schema)),
];
