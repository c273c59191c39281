// The `filter` list parameter. The interface names only the operators; the rest is this sandbox's reading:
// `field op "value"` (quotes optional for numbers), several joined with `and`.
import { badRequest } from './errorResponses.mts';

const operators: Record<string, string> = {
	eq: '=',
	ne: '<>',
	ge: '>=',
	gt: '>',
	le: '<=',
	lt: '<',
};

const condition = /^\s*(\w+)\s+(\w+)\s+(?:"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?))\s*/;

/**
 * @returns an SQL condition over the column `data`, and the values of its placeholders
 * @throws ErrorResponse (400) when the text cannot be read
 */
export function filterSql(filter = ''): { sql: string; values: Array<string | number> } {
	const parts: string[] = [];
	const values: Array<string | number> = [];
	let rest = filter.trim();
	while (rest !== '') {
		const match = condition.exec(rest);
		const operator = match && operators[match[2]!];
		if (!match || !operator) {
			throw badRequest({ field: 'filter', message: `cannot be read from here: ${rest}` });
		}
		parts.push(`json_extract(data, ?) ${operator} ?`);
		values.push(
			`$."${match[1]}"`,
			match[4] === undefined ? match[3]!.replace(/\\(.)/g, '$1') : Number(match[4]),
		);
		rest = rest.slice(match[0].length);
		if (rest === '') break;
		if (!/^and\s+\S/.test(rest)) {
			throw badRequest({ field: 'filter', message: `expected 'and' here: ${rest}` });
		}
		rest = rest.slice(3);
	}
	return { sql: parts.join(' AND ') || 'TRUE', values };
}
