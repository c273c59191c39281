// An example that was run, as a reader sees it: what is set on the form, an item in, the request, an item out.
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import type { Example } from './example.mts';
import { code, codeBlock, label } from './markdown.mts';
import { fieldsOf, type DescribedOperation } from './openapi.mts';
import type { DocumentedOperation } from './package.mts';
import { timezone, type ExampleRun } from './runExamples.mts';

/** Each field of an object in a line of its own; what is inside stays as short as it can be. */
function json(value: unknown): string {
	const lines = Object.entries(value as object).map(
		([name, inner]) => `${JSON.stringify(name)}: ${JSON.stringify(inner)}`,
	);
	const isList = Array.isArray(value) || lines.length === 0;
	return codeBlock('json', isList ? JSON.stringify(value) : `{\n${lines.join(',\n')}\n}`);
}

/** What the example sets, in the form's words. */
function setOnForm({ parameters }: Example, { properties }: INodeTypeDescription): string {
	const settings = Object.entries(parameters).map(([name, value]) => {
		const { displayName, options = [] } = properties.find(
			(one) => one.name === name,
		) as INodeProperties;
		const chosen = (options as INodePropertyOptions[]).find((option) => option.value === value);
		const shown = typeof value === 'string' ? value.replace(/^=/, '') : JSON.stringify(value);
		return `${label(displayName)}: ${chosen ? label(chosen.name) : code(shown)}`;
	});
	return settings.length === 0
		? 'On the form nothing is set but the operation.'
		: `On the form, beside the operation: ${settings.join('; ')}.`;
}

const hasTimes = ({ bodies }: DescribedOperation): boolean =>
	bodies.some(({ schema }) => fieldsOf(schema).some(({ type }) => type.includes('date-time')));

/** @returns paragraphs of Markdown, some of them empty */
export function exampleSection(
	{ example, described }: DocumentedOperation,
	{ sentTo, mediaType, body, output }: ExampleRun,
	description: INodeTypeDescription,
): string[] {
	const { item, file } = example;
	const zone = hasTimes(described) ? ` The workflow's time zone is ${code(timezone)}.` : '';
	return [
		setOnForm(example, description) + zone,
		'The input item:',
		json(item),
		file
			? `It comes with the file ${code(file.name)} (${file.type}) in its field ${code(file.field)}.`
			: '',
		`What is sent${file ? `, as ${mediaType} with the file` : ''}:`,
		codeBlock('http', sentTo),
		body === undefined ? '' : json(body),
		output.length > 1 ? `The first of ${output.length} output items:` : 'The output item:',
		json(output[0]),
	];
}
