// sandbox/openapi.yaml as a page to read, docs/service.md.
import { code, table } from './markdown.mts';
import {
	fieldsOf,
	service,
	typeOf,
	type DescribedAnswer,
	type DescribedField,
	type DescribedOperation,
	type DescribedParameter,
} from './openapi.mts';

const fieldTable = (title: string, rows: string[][]): string[] =>
	rows.length > 0 ? [`**${title}**`, table(['Field', 'Type', 'Notes'], rows)] : [];

const fieldRow = ({ name, type, notes }: DescribedField): string[] => [code(name), type, notes];

function parameterRow({ name, place, isRequired, schema, notes }: DescribedParameter): string[] {
	return [`${code(name)} (${place}${isRequired ? ', required' : ''})`, typeOf(schema), notes];
}

function answerLine({ status, notes, schema }: DescribedAnswer): string {
	const names = fieldsOf(schema).map(({ name }) => code(name));
	return `- ${status}: ${notes}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

function operationSection(operation: DescribedOperation): string[] {
	const { request, title, notes, isDeprecated, parameters, bodies, answers } = operation;
	return [
		`### ${title}`,
		`${code(request)}${isDeprecated ? ' (deprecated)' : ''}`,
		notes,
		...fieldTable('Parameters', parameters.map(parameterRow)),
		...bodies.flatMap((body) => [
			...fieldTable(`Body (${body.mediaType})`, fieldsOf(body.schema).map(fieldRow)),
			body.notes,
		]),
		'**Answers**',
		answers.map(answerLine).join('\n'),
	];
}

/** @returns the page as Markdown: a chapter for each tag */
export function servicePage(): string {
	const chapters = service.tags.flatMap((tag) => [
		`## ${tag}`,
		...service.operations
			.filter((operation) => operation.tag === tag)
			.flatMap((operation) => operationSection(operation)),
	]);
	return [
		`# ${service.title}`,
		'Made by `npm run docs` from [`sandbox/openapi.yaml`](../sandbox/openapi.yaml).',
		service.introduction,
		...chapters,
	].join('\n\n');
}
