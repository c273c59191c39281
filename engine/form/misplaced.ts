// Parameters in a workflow's JSON that are in the wrong place or have a wrong name. n8n would silently drop them, and the
// node would send the rest. Hidden inputs make n8n keep them, so that the node can refuse them.
import type { INodeProperties } from 'n8n-workflow';

import { namesOf, type Operation } from '../area';
import { Failure } from '../failure';
import { isEmpty, isObject, orUndefined, type JsonObject } from '../http/json';
import { parameterName } from './labels';
import { layoutOf } from './layout';
import { optionNames } from './settings';

/** Names that assistants often write instead of a field's own. */
const guesses: Readonly<Record<string, readonly string[]>> = {
	checkOnly: ['dryRun', 'validateOnly', 'testMode'],
	sendOnceKey: ['sendOnce', 'idempotencyKey'],
	triggerOn: ['event', 'events', 'operation'],
};

const withGuesses = (name: string): string[] => [name, ...(guesses[name] ?? [])];

/** Parameters of n8n's own nodes. */
const strays = ['additionalOptions', 'updateFields', 'query', 'queryParameters'];

const isSet = (value: unknown): boolean =>
	!['', false, undefined].includes(value as string) && !isEmpty(value);

/**
 * Adds hidden inputs for names that n8n would drop: those of fields outside their collection, and guessed ones. If a
 * collection is declared a second time, as hidden, n8n keeps all names in it.
 */
export function withHidden(inputs: readonly INodeProperties[]): INodeProperties[] {
	const collections = inputs.filter(({ type }) => type === 'collection');
	const fields = [...inputs, ...collections.flatMap(({ options }) => options!)];
	const names = [...fields.flatMap(({ name }) => withGuesses(name)), ...strays, 'method'];
	const beside = names.filter((name) => inputs.every((input) => input.name !== name));
	const hidden = { displayName: 'Not on the Form', type: 'hidden', default: '' } as const;
	const again = collections.map((one) =>
		structuredClone({ ...one, type: hidden.type, options: [] }),
	);
	return [...inputs, ...again, ...[...new Set(beside)].map((name) => ({ ...hidden, name }))];
}

/**
 * Refuses misplaced parameters. A person can neither see nor remove a hidden value in the editor, so once the field that
 * it stands for is set, the hidden value is ignored.
 * @param parameters of the node, as they are saved
 * @param read gives an item's value of a parameter
 * @param items the number of items
 * @throws Failure that says where each parameter belongs
 */
export function refuseMisplaced(
	operation: Operation,
	parameters: JsonObject,
	read: (name: string, item: number) => unknown,
	items = 1,
): void {
	const { groups } = layoutOf(operation);
	const inPlace = groups.flatMap(({ collection, fields }) => (collection ? [] : namesOf(fields)));
	const isBeside = (name: string) => !inPlace.includes(name) && isSet(parameters[name]);
	const problems = strays.filter(isBeside).map((name) => `parameters.${name} has no effect`);
	const withMethod = isBeside('method') ? items : 0;
	const methods = Array.from({ length: withMethod }, (_, item) => String(read('method', item)));
	const other = methods.find((method) => !operation.route.startsWith(`${method.toUpperCase()} `));
	if (other)
		problems.push(`parameters.method is ${other}, but parameters.operation is ${operation.name}`);
	for (const { collection, destination, fields } of groups) {
		const saved = collection ? parameters[collection.name] : parameters;
		const value = typeof saved === 'string' ? orUndefined(() => read(collection!.name, 0)) : saved;
		const given = isObject(value) ? value : {};
		const place = collection ? `parameters.${collection.name}` : 'parameters';
		const names = namesOf(fields).map(parameterName);
		// n8n keeps another operation's options when a person switches to this one.
		const known = destination === 'settings' ? [...names, ...optionNames] : names;
		const unknown = Object.keys(given).filter((one) => isSet(given[one]) && !known.includes(one));
		if (collection && unknown.length > 0)
			problems.push(`${place} has no '${unknown.join("', '")}', only ${names.join(', ')}`);
		for (const { label, default: initial, ...field } of fields) {
			const name = parameterName(field.name);
			const guess = withGuesses(name).find(isBeside);
			const isUnset =
				JSON.stringify(given[name] ?? '') === JSON.stringify(collection ? '' : initial);
			if (guess && isUnset)
				problems.push(`parameters.${guess} belongs in ${place}.${name} ('${label}')`);
		}
	}
	if (problems.length === 0) return;
	throw new Failure(`In the workflow's JSON, ${problems.join('; ')}`, 'notSent', {
		code: 'settingsUnusable',
		advice:
			'Nothing was sent. Correct the JSON, or set the field on the form, or replace the node with a new one.',
	});
}
