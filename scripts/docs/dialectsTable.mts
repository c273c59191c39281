// The dialects of the sandbox: each open question with the ways in which a service may have decided it.
import { dialectTable } from '../../sandbox/dialects.mts';
import { code, table } from './markdown.mts';

/** @returns Markdown */
export const dialectsTable = (): string =>
	table(
		['Dialect', 'Question', 'Ways'],
		Object.entries(dialectTable).map(([name, { question, ways }]) => [
			code(name),
			question,
			Object.entries(ways)
				.map(([way, what]) => `${code(way)}: ${what}`)
				.join('<br>'),
		]),
	);
