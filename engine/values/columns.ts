// The columns that a form's expressions read, and those of them that no row has: another name makes an expression give
// nothing, or a text with a gap.
import type { FieldProblem } from '../failure';
import { joinUpTo } from '../http/format';
import { truncate, type JsonObject } from '../http/json';
import { namesListed, shortName } from './inputHints';

/** A column of a row, or a value in it: `$json.id`, `$json["Start Date"].year`. */
const reference =
	/\$(?:input\.item\.)?json((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*(["'`]).*?\2\s*\])+)/gu;

/** A name in such a reference. */
const nameInPath = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(["'`])(.*?)\2/gu;

/** What an expression has if a column may be missing. */
const forMissing = /\?|\|\||&&|\$if|mpty\(/;

export const expressionsIn = (saved: unknown): string[] => {
	if (typeof saved === 'string') return saved.startsWith('=') ? [saved] : [];
	return Object.values(saved ?? {}).flatMap(expressionsIn);
};

/** @returns for each column or value in one, the names from the row to it */
export const columnsIn = (expression: string): string[][] =>
	[...expression.matchAll(reference)].map(([, path]) =>
		[...path!.matchAll(nameInPath)].map(([, plain, , quoted]) => plain ?? quoted!),
	);

/** An input of the form, as it is saved. */
export interface SavedInput {
	label: string;
	saved: unknown;
	isOption?: boolean;
}

/**
 * @param rows the input items
 * @returns the columns that no row has, joined; and the problems of inputs that read no others and do not expect that
 */
export function missingColumns(inputs: readonly SavedInput[], rows: readonly JsonObject[]) {
	const within = (value: unknown, name: string) => (value as JsonObject | null)?.[name];
	const isMissing = (names: string[]) =>
		rows.every((row) => names.reduce<unknown>(within, row) === undefined);
	const told = new Set<string>();
	const problems = inputs.flatMap(({ label, saved, isOption }) =>
		expressionsIn(saved).flatMap((expression): FieldProblem[] => {
			const read = columnsIn(expression);
			const missing = read.filter(isMissing);
			const isExpected = forMissing.test(expression.replace(/(["'`]).*?\1/g, ''));
			// An option that expects it decides by it, and sends nothing else.
			for (const names of isExpected && isOption ? [] : missing)
				told.add(`'${shortName(names.join('.'))}'`);
			if (isExpected || missing.length === 0 || missing.length < read.length) return [];
			const columns = namesListed([...new Set(rows.flatMap(Object.keys))]);
			const text = `finds nothing in any row with ${truncate(expression.slice(1), 200)}: correct it, remove the field, or end it with ?? '' if the column may be missing. The columns are ${columns}`;
			return [{ label, text }];
		}),
	);
	return { missing: joinUpTo([...told], 100), problems };
}
