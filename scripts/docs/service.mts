// sandbox/openapi.yaml as a page to read, docs/service.md.
import { code, table } from './markdown.mts';
import {
	service,
	type DescribedAnswer,
	type DescribedField,
	type DescribedOperation,
	type DescribedParameter,
} from './openapi.mts';

const fieldTable = (title: string, rows: string[][]): string[] =>
	rows.length > 0 ? [`**${title}**`, table(['Field', 'Type', 'Notes'], rows)] : [];

const fieldRow = ({ name, type, notes }: DescribedField): string[] => [code(name), type, notes];

function parameterRow({ name, place, isRequired, type, notes }: DescribedParameter): string[] {
	return [`${code(name)} (${place}${isRequired ? ', required' : ''})`, type, notes];
}

function answerLine({ status, notes, fields }: DescribedAnswer): string {
	const names = fields.map(({ name }) => code(name));
	return `- ${status}: ${notes}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

function operationPart(operation: DescribedOperation): string[] {
	const { request, title, notes, isDeprecated, parameters, bodies, answers } = operation;
	return [
		`### ${title}`,
		`${code(request)}${isDeprecated ? ' (deprecated)' : ''}`,
		notes,
		...fieldTable('Parameters', parameters.map(parameterRow)),
		...bodies.flatMap((body) => [
			...fieldTable(`Body (${body.mediaType})`, body.fields.map(fieldRow)),
			body.notes,
		]),
		'**Answers**',
		answers.map(answerLine).join('\n'),
	];
}

/** @returns the page as Markdown */
export function serviceDocs(): string {
	const parts = service.tags.flatMap((tag) => [
		`## ${tag}`,
		...service.operations
			.filter((operation) => operation.tag === tag)
			.flatMap((operation) => operationPart(operation)),
	]);
	return [
		`# ${service.title}`,
		'Made by `npm run docs` from [`sandbox/openapi.yaml`](../sandbox/openapi.yaml).',
		service.notes,
		...parts,
	].join('\n\n');
}
