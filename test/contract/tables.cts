// All area tables and the forms made of them, as lists of fields that can be compared.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';

import type { ResponseField, Area, Field, Operation } from '../../engine/area';
import { layoutOf } from '../../engine/form/layout';

const nodesFolder = join(__dirname, '..', '..', 'nodes');

export interface Entry {
	/** The table's file, such as `nodes/AgencyVendors/vendors.area.ts`. */
	file: string;
	area: Area;
	node: INodeType;
	resource: string;
	operation: Operation;
}

/** The node of every node folder, with its area's table; the trigger has none of its own. */
const folderNames = readdirSync(nodesFolder).filter((name) => !name.endsWith('.ts'));
const folders = folderNames.map((folder) => {
	const fileEnding = (suffix: string) =>
		readdirSync(join(nodesFolder, folder)).find((name) => name.endsWith(suffix));
	const load = (file: string): unknown =>
		Object.values(jest.requireActual<object>(join(nodesFolder, folder, file)))[0];
	const node = new (load(fileEnding('.node.ts')!) as new () => INodeType)();
	const table = fileEnding('.area.ts');
	return {
		node,
		file: `nodes/${folder}/${table}`,
		area: table === undefined ? undefined : (load(table) as Area),
	};
});

export const nodes: INodeType[] = folders.map(({ node }) => node);

/** The folder of a node, such as `nodes/AgencyVendors`. */
export const folderOf = ({ constructor }: INodeType): string => `nodes/${constructor.name}`;

/** A node's parameters: with `withDefaults` as its form opens, without as the editor saves them. */
export const nodeParameters = (
	{ description }: INodeType,
	parameters: INodeParameters,
	withDefaults: boolean,
): INodeParameters => {
	return NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		withDefaults,
		false,
		null,
		description,
	)!;
};

/** A node as a workflow holds it. */
export const inWorkflow = ({ description }: INodeType, parameters: INodeParameters): INode => ({
	id: '1',
	name: 'Node',
	type: description.name,
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

export const isTrigger = ({ description }: INodeType) => description.group.includes('trigger');

/** Every operation of every area. */
export const entries: Entry[] = folders.flatMap(({ file, node, area }) =>
	area
		? area.resources.flatMap(({ name, operations }) =>
				operations.map((operation) => ({ file, area, node, resource: name, operation })),
			)
		: [],
);

/** Entries with a title for `describe.each`: each failure names the table and what it is compared with. */
export const titled = (
	given: readonly Entry[],
	heldAgainst = 'sandbox/openapi.yaml',
): Array<[string, Entry]> =>
	given.map((entry) => [`${entry.operation.route}: ${entry.file} and ${heldAgainst}`, entry]);

/** The header fields that the operation's profile sends. */
const headers = ({ etag }: Operation): string[] => [...(etag ? ['header ETag: text'] : [])];

function fieldLines(field: Field, place: string): string[] {
	if (field.type !== 'objects' && field.type !== 'group') {
		// The form has a switch or a date where the query has text.
		const isText = place === 'query ' && ['boolean', 'dateTime'].includes(field.type);
		return [`${place}${field.name}: ${isText ? 'text' : field.type}`];
	}
	return field.fields.flatMap((inner) => fieldLines(inner, `${place}${field.name}[]/`));
}

/** The response fields in a table, in the words of openapi.cts. */
export const tableResponseFields = (fields: readonly ResponseField[]): string[] =>
	fields.flatMap((field) =>
		field.type === 'group'
			? tableResponseFields(field.fields).map((inner) => `${field.name}/${inner}`)
			: [`${field.name}: ${field.type}`],
	);

/** The request fields in an operation's table, in the words of openapi.cts. */
export function tableFields(operation: Operation): string[] {
	const isPaged = operation.kind === 'list' && operation.paged;
	return [
		...headers(operation),
		// The engine adds these for paging.
		...(isPaged ? ['query limit: number', 'query offset: number'] : []),
		...layoutOf(operation)
			.groups.filter(({ destination }) => destination !== 'settings')
			.flatMap(({ destination, bodyObject, fields }) =>
				fields.flatMap((field) =>
					fieldLines(field, `${destination} ${bodyObject ? `${bodyObject}/` : ''}`),
				),
			),
	];
}
