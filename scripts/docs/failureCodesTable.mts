// The codes of error items as a table to read in docs/errors.md: the engine's own list of them.
import type * as Failures from '../../engine/failure.ts';
import { code, table } from './markdown.mts';
import { built } from './package.mts';

const { failureCodes } = built('engine/failure.js') as typeof Failures;

/** @returns Markdown: a line for each code */
export const failureCodesTable = (): string =>
	table(
		['`code`', 'What happened'],
		Object.entries(failureCodes).map(([name, meaning]) => [code(name), meaning]),
	);
