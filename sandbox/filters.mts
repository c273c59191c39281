// The `filter` list parameter. The API spec names only its operators, so there are several ways to write one.
import type { Dialects } from './dialects.mts';
import { badRequest } from './errorResponses.mts';

const operators = new Map([
	['eq', '='],
	['ne', '<>'],
	['ge', '>='],
	['gt', '>'],
	['le', '<='],
	['lt', '<'],
]);

export interface Condition {
	field: string;
	/** As SQL writes it. */
	operator: string;
	value: string;
	isQuoted: boolean;
}

/** How a filter is written. Both patterns are sticky: they match where the last match has ended. */
interface FilterSyntax {
	/** Has the groups `field`, `operator`, and `quoted` or `plain`. */
	condition: RegExp;
	/** What stands between two conditions. */
	and: RegExp;
	/** The text that stands for a quoted one. */
	unquote: (text: string) => string;
}

const start = String.raw`\s*(?<field>\w+)\s+(?<operator>\w+)\s+`;
const number = String.raw`(?<plain>-?\d+(?:\.\d+)?)`;
const and = /\s+and(?=\s)/y;

const syntaxes: Record<Dialects['filter'], FilterSyntax> = {
	doubleQuotes: {
		condition: new RegExp(String.raw`${start}(?:"(?<quoted>(?:[^"\\]|\\.)*)"|${number})`, 'y'),
		and,
		unquote: (text) => text.replace(/\\(.)/g, '$1'),
	},
	singleQuotes: {
		condition: new RegExp(String.raw`${start}(?:'(?<quoted>(?:[^']|'')*)'|${number})`, 'y'),
		and,
		unquote: (text) => text.replaceAll("''", "'"),
	},
	colons: {
		condition: /(?<field>\w+):(?<operator>\w+):(?<plain>[^;]*)/y,
		and: /;/y,
		unquote: (text) => text,
	},
};

/**
 * @returns the conditions that must all hold
 * @throws ErrorResponse (400) when the text cannot be read
 */
export function conditionsOf(filter: string, dialect: Dialects['filter']): Condition[] {
	const { condition, and, unquote } = syntaxes[dialect];
	const text = filter.trim();
	const conditions: Condition[] = [];
	let at = 0;
	const next = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match) at = pattern.lastIndex;
		return match;
	};
	while (at < text.length) {
		const rest = text.slice(at);
		const isJoined = conditions.length === 0 || next(and);
		const { field, operator, quoted, plain } = (isJoined && next(condition)?.groups) || {};
		if (!operators.has(operator!)) {
			throw badRequest({ field: 'filter', message: `cannot be read from here: ${rest}` });
		}
		conditions.push({
			field: field!,
			operator: operators.get(operator!)!,
			value: quoted === undefined ? plain! : unquote(quoted),
			isQuoted: quoted !== undefined,
		});
	}
	return conditions;
}
