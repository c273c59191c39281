// A node's page: what it does, its form, what comes out, and an example that was run.
import type { INodeTypeDescription } from 'n8n-workflow';

import type { Operation } from '../../engine/area.ts';
import type { ExampleRun } from './examples.mts';
import { fieldTable, settingsTable } from './fields.mts';
import { anchorOf, code, label } from './markdown.mts';
import type { DescribedAnswer, DescribedOperation } from './openapi.mts';
import type { DocumentedNode, DocumentedOperation } from './package.mts';
import { shownExample } from './shownExample.mts';

/**
 * The fields of an item that comes out, in the service's words.
 * @param key of the array that holds the items, if there is one
 */
function namesIn({ fields }: DescribedAnswer, key?: string): string {
	const start = key === undefined ? '' : `${key}[].`;
	const names = fields.filter(({ name }) => name.startsWith(start));
	return names.map(({ name }) => code(name.slice(start.length))).join(', ');
}

/** What comes out of a success, by the kind of operation. */
function outputOf(operation: Operation, answer: DescribedAnswer): string {
	switch (operation.kind) {
		case 'item':
			return `One item for each input item, with ${namesIn(answer)}.`;
		case 'list':
			return `One item for each row, with ${namesIn(answer, operation.key)}. [Lists](../lists.md) tells how rows are chosen and counted, and what of them is returned.`;
		case 'bulk':
			return `One item for each path, linked to the input item that names it, with ${namesIn(answer, operation.key)}. All input items travel in as few requests as ${label('Batch Size')} allows. A path that the service did not accept is an error of its input item.`;
		case 'upload':
			return `One item for each file, with ${namesIn(answer)}. Files are streamed, so their size does not matter.`;
		case 'empty':
			return `One item for each input item. The interface shows no answer: when there is none, the item says ${code(JSON.stringify(operation.output))}.`;
	}
}

const leavesOpen = /not (stated|specified|shown)/;

/** What the service's document says of things that the interface leaves open. */
function openQuestions({ notes, parameters, bodies }: DescribedOperation): string[] {
	const named = [...parameters, ...bodies.flatMap(({ fields }) => fields)]
		.filter((field) => leavesOpen.test(field.notes))
		.map((field) => `${code(field.name)}: ${field.notes}`);
	const texts = [notes, ...bodies.map((body) => body.notes)].filter((text) =>
		leavesOpen.test(text),
	);
	return [...texts, ...named].map((text) => `- ${text}`);
}

const withTitle = (title: string, ...parts: string[]): string[] => {
	const given = parts.filter((part) => part !== '');
	return given.length > 0 ? [`### ${title}`, ...given] : [];
};

function operationPart(
	{ resource, operation, described }: DocumentedOperation,
	description: INodeTypeDescription,
	run: ExampleRun,
): string[] {
	const [success] = described.answers as [DescribedAnswer];
	return [
		`## ${operation.action}`,
		`${operation.description}.${operation.notice ? ` **${operation.notice}**` : ''}`,
		`${label('Resource')}: ${label(resource.label)}; ${label('Operation')}: ${label(operation.label)}. It sends ${code(operation.request)} ([the same in the service's words](../service.md#${anchorOf(described.title)})).`,
		...withTitle('Fields', fieldTable(operation, described)),
		...withTitle('What comes out', outputOf(operation, success)),
		...withTitle('Example', ...shownExample(run, described, description)),
		...withTitle('Settings', settingsTable(operation)),
		...withTitle('What the interface leaves open', openQuestions(described).join('\n')),
	];
}

/**
 * @param runs of the examples, by request line
 * @returns the page as Markdown
 */
export function nodePage(
	{ name, description, operations }: DocumentedNode,
	runs: ReadonlyMap<string, ExampleRun>,
): string {
	return [
		`# ${description.displayName}`,
		`${description.description}. [All nodes](README.md) · [Giving values](../values.md) · [When something goes wrong](../errors.md)`,
		`![The form of ${description.displayName}](../pictures/nodes/${name}.png)`,
		...operations.flatMap((one) =>
			operationPart(one, description, runs.get(one.operation.request)!),
		),
	].join('\n\n');
}
