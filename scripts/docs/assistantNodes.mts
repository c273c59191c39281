// Each operation in a line, for an assistant that writes a workflow: the node's type, its parameters with the types of
// their values, and what it returns.
import type { Field, ScalarField } from '../../engine/area.ts';
import type { FieldGroup } from '../../engine/form/layout.ts';
import type * as Labels from '../../engine/form/labels.ts';
import { code } from './markdown.mts';
import { outputOf } from './nodePage.mts';
import { built, layoutOf, type DocumentedOperation, type DocumentedPackage } from './package.mts';

const { entriesName, parameterName } = built('engine/form/labels.js') as typeof Labels;

/** The words for types; the page explains them. Text needs none. */
const typeNames: Partial<Record<Field['type'], string>> = {
	integer: 'integer',
	number: 'number',
	boolean: 'boolean',
	dateTime: 'time',
	uuid: 'UUID',
	textList: '[text]',
	object: '{…}',
	objectList: '[{…}]',
};

const listed = (fields: readonly Field[]): string => `{ ${fields.map(parameterOf).join(', ')} }`;

/** Such as `fromDate*: time`; the asterisk marks a required parameter. */
function parameterOf(field: Field): string {
	const { name, type, required, default: initial } = field as ScalarField;
	const inside = 'fields' in field && listed(field.fields);
	const value = field.type === 'objects' ? `{ ${entriesName}: [${inside}] }` : inside;
	const shown = value || (initial === undefined ? typeNames[type] : JSON.stringify(initial));
	const mark = required && initial === undefined ? '*' : '';
	return `${parameterName(name)}${mark}${shown ? `: ${shown}` : ''}`;
}

/** The parameters of a group that sets what is sent. */
function parametersOf({ destination, fields, collection }: FieldGroup): string[] {
	if (!['path', 'body'].includes(destination)) return [];
	return collection ? [`${collection.name}: ${listed(fields)}`] : fields.map(parameterOf);
}

function lineOf({ resource, operation, described }: DocumentedOperation, type: string): string {
	const parameters = [
		`resource: "${resource.name}"`,
		`operation: "${operation.name}"`,
		...layoutOf(operation).groups.flatMap(parametersOf),
	];
	const output = outputOf(operation, described.responses[0]!.schema).split('. ')[0]!;
	return `- **${operation.action}:** ${code(type)} ${code(parameters.join(', '))}. Returns an item ${output.replace(/\.?$/, '.')}`;
}

export const assistantNodes = ({ nodes }: DocumentedPackage): string =>
	nodes
		.filter(({ operations }) => !operations.every(({ described }) => described.isDeprecated))
		.flatMap(({ description, operations }) =>
			operations.map((documented) => lineOf(documented, description.name)),
		)
		.join('\n');
