// sandbox/openapi.yaml as a page to read, docs/service.md.
import { followReference, readDocument, type DocumentNode as Node } from '../sandbox/document.mts';

const text = (value: unknown): string =>
	typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : '';

/** @returns the page as Markdown */
export function serviceDocs(): string {
	const document = readDocument();
	const resolve = (node: Node): Node => followReference(document, node);

	const typeOf = (schema: Node): string => {
		const { type, format, items } = resolve(schema);
		if (type === 'array') return `list of ${typeOf(items as Node)}`;
		const name = Array.isArray(type) ? type.join(' or ') : String(type as string);
		return format ? `${name}, ${format as string}` : name;
	};

	/** Rows of a table for a schema's fields, nested ones under their path. */
	const rows = (schema: Node, place = ''): string[] => {
		const { properties, items } = resolve(schema);
		if (items) return rows(items as Node, place === '' ? '' : `${place.slice(0, -1)}[].`);
		return Object.entries((properties ?? {}) as Record<string, Node>).flatMap(([name, field]) => [
			`| \`${place}${name}\` | ${typeOf(field)} | ${text(resolve(field).description)} |`,
			...rows(field, `${place}${name}.`),
		]);
	};
	const table = (title: string, lines: string[]): string[] =>
		lines.length > 0
			? ['', `**${title}**`, '', '| Field | Type | Notes |', '|-|-|-|', ...lines]
			: [];

	const operation = (method: string, path: string, node: Node): string[] => {
		const { requestBody, responses, parameters = [] } = node;
		const contentOf = (body: unknown): Array<[string, Node]> =>
			Object.entries((resolve((body ?? {}) as Node).content ?? {}) as Record<string, Node>);
		const parameterRows = (parameters as Node[]).map((raw) => {
			const { name, in: place, schema, description, required } = resolve(raw);
			const must = required ? ', required' : '';
			return `| \`${name as string}\` (${place as string}${must}) | ${typeOf(schema as Node)} | ${text(description)} |`;
		});
		return [
			`### ${text(node.summary)}`,
			'',
			`\`${method.toUpperCase()} ${path}\`${node.deprecated ? ' (deprecated)' : ''}`,
			'',
			text(node.description),
			...table('Parameters', parameterRows),
			...contentOf(requestBody).flatMap(([mediaType, { schema }]) => {
				const about = text(resolve(schema as Node).description);
				return [...table(`Body (${mediaType})`, rows(schema as Node)), '', about];
			}),
			'',
			'**Answers**',
			'',
			...Object.entries(responses as Record<string, Node>).flatMap(([status, raw]) => {
				const fields = contentOf(raw).flatMap(([, { schema }]) => rows(schema as Node));
				const names = fields.map((row) => row.split('|')[1]!.trim());
				const holds = names.length > 0 ? `: ${names.join(', ')}` : '';
				return [`- ${status}: ${text(resolve(raw).description)}${holds}`];
			}),
			'',
		];
	};

	const { info, tags, paths } = document as unknown as {
		info: Node;
		tags: Array<{ name: string }>;
		paths: Record<string, Record<string, Node>>;
	};
	const all = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, node]) => ({ method, path, node })),
	);
	const lines = [
		`# ${text(info.title)}`,
		'',
		'Made by `npm run docs` from [`sandbox/openapi.yaml`](../sandbox/openapi.yaml).',
		'',
		String(info.description as string),
		...tags.flatMap(({ name }) => [
			`## ${name}`,
			'',
			...all
				.filter(({ node }) => (node.tags as string[]).includes(name))
				.flatMap(({ method, path, node }) => operation(method, path, node)),
		]),
	];
	return lines.join('\n');
}
