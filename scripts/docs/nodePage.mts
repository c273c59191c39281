// A node's page: what it does, its form, what comes out, and an example that was run.
import type { INodeTypeDescription } from 'n8n-workflow';

import type { Operation } from '../../engine/area.ts';
import { exampleSection } from './exampleSection.mts';
import { fieldTable } from './formTables.mts';
import { anchorOf, code, label } from './markdown.mts';
import {
	fieldsOf,
	requestFields,
	type DescribedAnswer,
	type DescribedOperation,
} from './openapi.mts';
import type { DocumentedNode, DocumentedOperation } from './package.mts';
import type { ExampleRun } from './runExamples.mts';
import { settingsSection } from './sharedSettings.mts';

/**
 * The fields of an item that comes out, in the service's words.
 * @param key of the array that holds the items, if there is one
 */
function namesIn({ schema }: DescribedAnswer, key?: string): string {
	const start = key === undefined ? '' : `${key}[].`;
	const names = fieldsOf(schema).filter(({ name }) => name.startsWith(start));
	return names.map(({ name }) => code(name.slice(start.length))).join(', ');
}

/** What comes out of a success, by the kind of operation. */
function outputOf(operation: Operation, answer: DescribedAnswer): string {
	switch (operation.kind) {
		case 'item':
			return `One item for each input item, with ${namesIn(answer)}.`;
		case 'list':
			return `One item for each row, with ${namesIn(answer, operation.rowsKey)}. [Lists](../lists.md) describes how rows are chosen and counted, and which of their fields are returned.`;
		case 'bulk':
			return `One item for each path, linked to the input item that names it, with ${namesIn(answer, operation.resultsKey)}. All input items are sent in as few requests as ${label('Batch Size')} allows. A path that the service does not accept becomes an error of its input item.`;
		case 'upload':
			return `One item for each file, with ${namesIn(answer)}. Files are streamed, so they may have any size.`;
		case 'empty':
			return `One item for each input item. The interface shows no answer for this operation: when the service sends none, the item is ${code(JSON.stringify(operation.output))}.`;
	}
}

const leavesOpen = /not (stated|specified|shown)/;

/** What the service's document says of things that the interface leaves open. */
function openQuestions(described: DescribedOperation): string {
	const ofFields = requestFields(described).map(({ name, notes }) => ({ name, notes }));
	return [described, ...described.bodies, ...ofFields]
		.filter(({ notes }) => leavesOpen.test(notes))
		.map((one) => ('name' in one ? `- ${code(one.name)}: ${one.notes}` : `- ${one.notes}`))
		.join('\n');
}

/** @returns nothing when all paragraphs are empty */
const section = (title: string, ...paragraphs: string[]): string[] => {
	const filled = paragraphs.filter((paragraph) => paragraph !== '');
	return filled.length > 0 ? [`### ${title}`, ...filled] : [];
};

/** What an operation's part of the page is made of. */
export interface NodePageSources {
	/** Of all nodes: what they share is told elsewhere. */
	operations: readonly Operation[];
	/** Of the examples, by request line. */
	runs: ReadonlyMap<string, ExampleRun>;
}

function operationChapter(
	documented: DocumentedOperation,
	description: INodeTypeDescription,
	{ operations, runs }: NodePageSources,
): string[] {
	const { resource, operation, described } = documented;
	const run = runs.get(operation.request)!;
	const [success] = described.answers as [DescribedAnswer];
	return [
		`## ${operation.action}`,
		`${operation.description}.${operation.notice ? ` **${operation.notice}**` : ''}`,
		`${label('Resource')}: ${label(resource.label)}; ${label('Operation')}: ${label(operation.label)}. It sends ${code(operation.request)} ([as the service describes it](../service.md#${anchorOf(described.title)})).`,
		...section('Fields', fieldTable(operation, described)),
		...section('Output', outputOf(operation, success)),
		...section('Example', ...exampleSection(documented, run, description)),
		...section('Settings', ...settingsSection(operation, operations)),
		...section('What the interface leaves open', openQuestions(described)),
	];
}

/** @returns the page as Markdown */
export function nodePage(
	{ name, description, operations }: DocumentedNode,
	sources: NodePageSources,
): string {
	return [
		`# ${description.displayName}`,
		`${description.description}. [All nodes](README.md) · [Giving values](../values.md) · [When something goes wrong](../errors.md)`,
		`![The form of ${description.displayName}](../pictures/nodes/${name}.png)`,
		...operations.flatMap((one) => operationChapter(one, description, sources)),
	].join('\n\n');
}
