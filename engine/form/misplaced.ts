// What a workflow's JSON has in place of the option that is meant. n8n drops what is not declared without a word, and
// the rows would be sent: so it is declared as hidden, and refused.
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import { Failure } from '../failure';
import { isObject } from '../http/json';

/** Of an option that keeps rows from being sent: its label, its name, and what is often guessed instead. */
const guesses: ReadonlyArray<readonly [label: string, name: string, ...others: string[]]> = [
	['Check Only', 'checkOnly', 'dryRun', 'validateOnly'],
	['Send Once', 'sendOnceKey', 'sendOnce', 'idempotencyKey'],
];

const hidden = (name: string): INodeProperties => {
	// n8n's type definitions for assistants show it, with these words.
	const description = 'Not a parameter of this node: it is refused';
	return { displayName: 'Not a Parameter', name, type: 'hidden', default: '', description };
};

/**
 * Inputs that stand beside the options.
 * @param sendsAnyMethod whether the operation says with which method
 */
export const misplacedInputs = (sendsAnyMethod: boolean) =>
	[...guesses.flatMap(([, ...names]) => names), sendsAnyMethod ? 'method' : []].flat().map(hidden);

/** Inputs among the options, under names that none of them has. */
export const misnamedOptions = () => guesses.flatMap(([, , ...others]) => others.map(hidden));

/**
 * Nobody can see or remove a hidden value in the editor, so it counts only until what is meant by it has a value.
 * @param parameters of the node, as they are saved
 * @throws Failure that says where the value belongs
 */
export function refuseMisplaced(parameters: IDataObject, operation: Operation): void {
	const options = isObject(parameters.options) ? parameters.options : {};
	const refuse = (name: string, label: string, place: string) => {
		throw new Failure(`'${name}' has no effect where it is: use '${label}'`, 'notSent', {
			code: 'settingsUnusable',
			advice: `Nothing was sent. In the workflow's JSON, this is parameters.${place}.`,
		});
	};
	for (const [label, name, ...others] of isWriting(operation) ? guesses : []) {
		const guess = [name, ...others].find((one) => parameters[one] || options[one]);
		if (guess && !(name in options)) refuse(guess, label, `options.${name}`);
	}
	const method = String((parameters.method as string | undefined) ?? '').toUpperCase();
	const [sent] = operation.route.split(' ');
	if (method && method !== sent)
		refuse('method', 'Operation', `operation: ${operation.name} sends ${sent}, not ${method}`);
}
