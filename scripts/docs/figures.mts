// Figures of the code, read from its source: most of them are nobody's business but their own file's.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { root } from './package.mts';

const operators: Partial<Record<ts.SyntaxKind, (left: number, right: number) => number>> = {
	[ts.SyntaxKind.AsteriskToken]: (left, right) => left * right,
	[ts.SyntaxKind.AsteriskAsteriskToken]: (left, right) => left ** right,
	[ts.SyntaxKind.PlusToken]: (left, right) => left + right,
	[ts.SyntaxKind.MinusToken]: (left, right) => left - right,
};

/** @returns undefined for what is no arithmetic of literals */
function numberOf(expression: ts.Expression): number | undefined {
	if (ts.isNumericLiteral(expression)) return Number(expression.text);
	if (ts.isParenthesizedExpression(expression)) return numberOf(expression.expression);
	if (!ts.isBinaryExpression(expression)) return undefined;
	const operate = operators[expression.operatorToken.kind];
	const [left, right] = [numberOf(expression.left), numberOf(expression.right)];
	return operate && left !== undefined && right !== undefined ? operate(left, right) : undefined;
}

/**
 * The value of a file's constant.
 * @param file path from the root
 * @throws Error when the file has no such constant, or it is no number
 */
export function constantIn(file: string, name: string): number {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(root, file), 'utf8'),
		ts.ScriptTarget.ESNext,
	);
	const constants = source.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => declarationList.declarations);
	const found = constants.find((one) => ts.isIdentifier(one.name) && one.name.text === name);
	const value = found?.initializer && numberOf(found.initializer);
	if (value === undefined) throw new Error(`${file} has no number ${name}: see scripts/docs`);
	return value;
}

/** `1000000` → "1,000,000". */
export const grouped = (value: number): string => value.toLocaleString('en-US');

/** @param value bytes */
export function bytes(value: number): string {
	const megabytes = value / 1024 ** 2;
	if (Number.isInteger(megabytes)) return `${megabytes} MB`;
	const kilobytes = value / 1024;
	return Number.isInteger(kilobytes) ? `${kilobytes} KB` : `${grouped(value)} bytes`;
}

/** @param value milliseconds */
export function duration(value: number): string {
	const seconds = value / 1000;
	return seconds >= 3600 ? `${seconds / 3600} h` : `${seconds} s`;
}
