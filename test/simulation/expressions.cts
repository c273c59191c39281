// Evaluates the expressions of a node's saved parameters as n8n does, as far as worlds have them.
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** What expressions may name, besides the time. */
interface Scope {
	$json: IDataObject;
	$itemIndex: number;
	$runIndex: number;
	$execution: { id: string };
}

type Code = (
	...values: [IDataObject, number, number, Scope['$execution'], DateTime, DateTime]
) => unknown;

/** By its text: each code is compiled once. */
const codes = new Map<string, Code>();

function codeOf(text: string): Code {
	const names = ['$json', '$itemIndex', '$runIndex', '$execution', '$now', '$today'];
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- an expression, as n8n evaluates it
	const code = codes.get(text) ?? (new Function(...names, `return (${text})`) as Code);
	codes.set(text, code);
	return code;
}

/**
 * @param saved a parameter, or an object or list of them
 * @param now milliseconds since 1970
 */
export function evaluated(saved: unknown, now: number, scope: Scope): unknown {
	if (Array.isArray(saved)) return saved.map((each) => evaluated(each, now, scope));
	if (typeof saved === 'object' && saved !== null)
		return Object.fromEntries(
			Object.entries(saved).map(([name, each]) => [name, evaluated(each, now, scope)]),
		);
	if (typeof saved !== 'string' || !saved.startsWith('=')) return saved;
	const { $json, $itemIndex, $runIndex, $execution } = scope;
	const $now = DateTime.fromMillis(now, { zone: 'America/New_York' });
	const valueOf = (text: string) =>
		codeOf(text)($json, $itemIndex, $runIndex, $execution, $now, $now.startOf('day'));
	const parts = saved.slice(1).split(/\{\{(.*?)\}\}(?!\})/s);
	if (parts.length === 3 && parts[0] === '' && parts[2] === '') return valueOf(parts[1]!);
	return parts.map((part, at) => (at % 2 ? `${(valueOf(part) ?? '') as string}` : part)).join('');
}
