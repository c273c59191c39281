// Each operation as a whole node in JSON, for an assistant that writes a workflow. The parameters are the patterns that
// n8n shows with a node, each of which a test runs.
import type { INodeParameters } from 'n8n-workflow';

import type * as Labels from '../../engine/form/labels.ts';
import { code } from './markdown.mts';
import { outputOf } from './nodePage.mts';
import { built, layoutOf, type DocumentedOperation, type DocumentedPackage } from './package.mts';
import { parametersOf } from './pattern.mts';

const { parameterName } = built('engine/form/labels.js') as typeof Labels;

const patternIn = /<pattern title="(.+)">\nparameters: (.+)\n<\/pattern>/g;

/** The operation's output, and the fields that its pattern does not have, by the collection that holds them. */
function notesOf(
	{ operation, described }: DocumentedOperation,
	parameters: INodeParameters,
): string {
	const others = layoutOf(operation).groups.flatMap(({ collection, destination, fields }) => {
		const given = (collection ? parameters[collection.name] : parameters) ?? {};
		const names = fields
			.map(({ name }) => parameterName(name))
			.filter((name) => !(name in (given as INodeParameters)));
		if (destination === 'settings' || names.length === 0) return [];
		return `In ${code(collection?.name ?? 'parameters')}, also: ${names.map(code).join(', ')}.`;
	});
	const output = outputOf(operation, described.responses[0]!.schema);
	return [`Returns one item ${output.replace('../', '')}`, ...others].join(' ');
}

export const assistantNodes = ({ nodes, others }: DocumentedPackage): string =>
	[...nodes, ...others.map((description) => ({ description, operations: [] }))]
		.flatMap(({ description: { name, builderHint }, operations }) => {
			const [{ content }] = builderHint!.extraTypeDefContent as [{ content: string }];
			return [...content.matchAll(patternIn)].map(([, title, pattern]) => {
				const documented = operations.find(({ operation }) => operation.action === title);
				const parameters = parametersOf(pattern!);
				const node = {
					name: title,
					type: `n8n-nodes-agency-records.${name}`,
					typeVersion: 1,
					position: [0, 0],
					parameters,
					credentials: { agencyRecordsApi: { id: '', name: 'Agency Records account' } },
				};
				const notes = documented ? ` ${notesOf(documented, parameters)}` : '';
				return `**${title}.**${notes}\n\n\`\`\`json\n${JSON.stringify(node)}\n\`\`\``;
			});
		})
		.join('\n\n');
