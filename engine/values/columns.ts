// The columns that a form's expressions read, and those of them that no row has: another name makes an expression give
// nothing, or a text with a gap.
import type { FieldProblem } from '../failure';
import { joinUpTo } from '../http/format';
import { truncate, type JsonObject } from '../http/json';
import { namesListed, shortName } from './inputHints';

/** A column of a row or of another node's item, or a value in it: `$json.id`, `$('Sheet').item.json["Start Date"].year`. */
const reference =
	/\$(?:(?:input\.item\.)?json|\((["'`])(.*?)\1\)\.item\.json)((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*(["'`]).*?\4\s*\])+)/gu;

/** A name in such a reference. */
const nameInPath = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(["'`])(.*?)\2/gu;

/** What an expression has if a column may be missing. */
const forMissing = /\?|\|\||&&|\$if|mpty\(/;

export const expressionsIn = (saved: unknown): string[] => {
	if (typeof saved === 'string') return saved.startsWith('=') ? [saved] : [];
	return Object.values(saved ?? {}).flatMap(expressionsIn);
};

/** @returns for each column, the node whose item has it, if that is not the row, and the names from the item to it */
export const columnsIn = (expression: string) =>
	[...expression.matchAll(reference)].map(([text, , node, path]) => {
		const names = [...path!.matchAll(nameInPath)].map(([, plain, , quoted]) => plain ?? quoted!);
		return { text, node, path: names };
	});

/** An input of the form, as it is saved. */
export interface SavedInput {
	label: string;
	saved: unknown;
	isOption?: boolean;
}

/**
 * @param rows the input items
 * @param evaluate gives the value of an expression for an item
 * @returns the columns that no row has, in words but for their first letter; and the problems of inputs that read no
 * others and do not expect that
 */
export function missingColumns(
	inputs: readonly SavedInput[],
	rows: readonly JsonObject[],
	evaluate: (expression: string, itemIndex: number) => unknown,
) {
	const isMissing = ({ text, node, path }: ReturnType<typeof columnsIn>[number]) =>
		rows.every((row, at) => {
			if (node) return evaluate(`{{ ${text} }}`, at) === undefined;
			const within = (value: unknown, name: string) => (value as JsonObject | null)?.[name];
			return path.reduce(within, row) === undefined;
		});
	const columns = namesListed([...new Set(rows.flatMap(Object.keys))]);
	const names = new Set<string>();
	const problems = inputs.flatMap(({ label, saved, isOption }) =>
		expressionsIn(saved).flatMap((expression): FieldProblem[] => {
			const read = columnsIn(expression);
			const missing = read.filter(isMissing);
			const isExpected = forMissing.test(expression.replace(/(["'`]).*?\1/g, ''));
			// An option that expects it decides by it, and sends nothing else.
			for (const { path } of isExpected && isOption ? [] : missing)
				names.add(`'${shortName(path.join('.'))}'`);
			if (isExpected || missing.length === 0 || missing.length < read.length) return [];
			const text = `finds nothing in any row with ${truncate(expression.slice(1), 200)}: correct it, remove the field, or end it with ?? '' if the column may be missing. The columns are ${columns}`;
			return [{ label, text }];
		}),
	);
	const missing = names.size > 0 && `o row has the column ${joinUpTo([...names], 100)}`;
	return { missing, problems };
}
