// sandbox/openapi.yaml as lists of fields with their notes, for the pages that are made of it.
import { followReference, readOpenApi, type OpenApiNode as Node } from '../../sandbox/openapi.mts';

export interface DescribedField {
	/** Such as `value[].userID`. */
	name: string;
	/** Such as "string, date-time". */
	type: string;
	notes: string;
}

export interface DescribedParameter extends DescribedField {
	place: 'path' | 'query' | 'header';
	isRequired: boolean;
}

export interface DescribedBody {
	mediaType: string;
	notes: string;
	fields: DescribedField[];
}

export interface DescribedAnswer {
	status: number;
	notes: string;
	fields: DescribedField[];
}

export interface DescribedOperation {
	/** Method and path, as in the tables. */
	request: string;
	tag: string;
	title: string;
	notes: string;
	isDeprecated: boolean;
	parameters: DescribedParameter[];
	bodies: DescribedBody[];
	answers: DescribedAnswer[];
}

export interface DescribedService {
	title: string;
	notes: string;
	tags: string[];
	operations: DescribedOperation[];
}

const document = readOpenApi();
const resolve = (node: Node): Node => followReference(document, node);

const text = (value: unknown): string =>
	typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : '';

function typeOf(schema: Node): string {
	const { type, format, items } = resolve(schema);
	if (type === 'array') return `list of ${typeOf(items as Node)}`;
	const name = Array.isArray(type) ? type.join(' or ') : String(type as string);
	return format ? `${name}, ${format as string}` : name;
}

/** A schema's fields, nested ones under their path; of a list those of its entries. */
function fieldsOf(schema: Node, place = ''): DescribedField[] {
	const { properties, items } = resolve(schema);
	if (items) return fieldsOf(items as Node, place === '' ? '' : `${place.slice(0, -1)}[].`);
	return Object.entries((properties ?? {}) as Record<string, Node>).flatMap(([name, field]) => [
		{
			name: `${place}${name}`,
			type: typeOf(field),
			notes: text(resolve(field).description),
		},
		...fieldsOf(field, `${place}${name}.`),
	]);
}

const contentOf = (body: unknown): Array<[mediaType: string, schema: Node]> =>
	Object.entries(
		(resolve((body ?? {}) as Node).content ?? {}) as Record<string, { schema: Node }>,
	).map(([mediaType, { schema }]) => [mediaType, schema]);

function parameterOf(raw: Node): DescribedParameter {
	const { name, in: place, schema, description, required } = resolve(raw);
	return {
		name: name as string,
		place: place as DescribedParameter['place'],
		isRequired: required === true,
		type: typeOf(schema as Node),
		notes: text(description),
	};
}

const operationOf = (method: string, path: string, node: Node): DescribedOperation => ({
	request: `${method.toUpperCase()} ${path}`,
	tag: (node.tags as [string])[0],
	title: text(node.summary),
	notes: text(node.description),
	isDeprecated: node.deprecated === true,
	parameters: ((node.parameters ?? []) as Node[]).map(parameterOf),
	bodies: contentOf(node.requestBody).map(([mediaType, schema]) => ({
		mediaType,
		notes: text(resolve(schema).description),
		fields: fieldsOf(schema),
	})),
	answers: Object.entries(node.responses as Record<string, Node>).map(([status, answer]) => ({
		status: Number(status),
		notes: text(resolve(answer).description),
		fields: contentOf(answer).flatMap(([, schema]) => fieldsOf(schema)),
	})),
});

const { info, tags, paths } = document as unknown as {
	info: { title: string; description: string };
	tags: Array<{ name: string }>;
	paths: Record<string, Record<string, Node>>;
};

export const service: DescribedService = {
	title: text(info.title),
	notes: info.description,
	tags: tags.map(({ name }) => name),
	operations: Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, node]) => operationOf(method, path, node)),
	),
};
