// What a workflow's JSON has in place of the option that is meant. n8n drops what is not declared without a word, and
// the rows would be sent: so it is declared as hidden, and refused.
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isWriting, text, type Operation } from '../area';
import { Failure } from '../failure';
import { isObject } from '../http/json';

/** Names that are often guessed, by the option that each means: label and name. */
const checkOnly = ['Check Only', 'checkOnly'] as const;
const sendOnce = ['Send Once', 'sendOnceKey'] as const;
const meantBy = {
	checkOnly,
	dryRun: checkOnly,
	validateOnly: checkOnly,
	sendOnceKey: sendOnce,
	sendOnce,
	idempotencyKey: sendOnce,
};

const hidden = (name: string): INodeProperties => {
	return { displayName: text(name).label, name, type: 'hidden', default: '' };
};

/**
 * Inputs that stand beside the options.
 * @param sendsAnyMethod whether the operation says with which method
 */
export const misplacedInputs = (sendsAnyMethod: boolean) =>
	[...Object.keys(meantBy), ...(sendsAnyMethod ? ['method'] : [])].map(hidden);

/** Inputs among the options, under names that none of them has. */
export const misnamedOptions = () =>
	Object.entries(meantBy).flatMap(([name, [, meant]]) => (name === meant ? [] : hidden(name)));

/**
 * Nobody can see or remove a hidden value in the editor, so it counts only until what is meant by it has a value.
 * @param parameters of the node, as they are saved
 * @throws Failure that says where the value belongs
 */
export function refuseMisplaced(parameters: IDataObject, operation: Operation): void {
	const options = isObject(parameters.options) ? parameters.options : {};
	const refuse = (name: string, label: string, place: string) => {
		const message = `'${name}' has no effect where it is: use '${label}'`;
		const advice = `Nothing was sent. In the workflow's JSON, this is parameters.${place}.`;
		throw new Failure(message, 'notSent', { advice });
	};
	for (const [name, [label, meant]] of Object.entries(isWriting(operation) ? meantBy : {}))
		if ((parameters[name] || options[name]) && !(meant in options))
			refuse(name, label, `options.${meant}`);
	const method = (parameters.method as string | undefined)?.toUpperCase();
	const [sent] = operation.route.split(' ');
	if (method && method !== sent)
		refuse('method', 'Operation', `operation: ${operation.name} sends ${sent}, not ${method}`);
}
