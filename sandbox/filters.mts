// The `filter` list parameter. The API spec names only its operators; this is the sandbox's way of writing one.
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
}

// Both are sticky: they match where the last match has ended.
const condition =
	/\s*(?<field>\w+)\s+(?<operator>\w+)\s+(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>-?\d+(?:\.\d+)?))/y;
const and = /\s+and(?=\s)/y;

/**
 * @param filter such as `city eq "Springfield" and zip ge 60000`; a backslash in quotes stands before any character
 * @returns the conditions that must all hold
 * @throws ErrorResponse (400) when the text cannot be read
 */
export function conditionsOf(filter: string): Condition[] {
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
			value: plain ?? quoted!.replace(/\\(.)/g, '$1'),
		});
	}
	return conditions;
}
