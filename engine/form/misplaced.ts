// What a workflow's JSON has where no field of the form is, or under a name that is not a field's. n8n would drop it in
// silence and the node would send the rest, so n8n is made to keep it, and it is refused.
import type { INodeProperties } from 'n8n-workflow';

import { namesOf, type Operation } from '../area';
import { Failure } from '../failure';
import { isEmpty, isObject, orUndefined, type JsonObject } from '../http/json';
import { parameterName } from './labels';
import { layoutOf } from './layout';
import { optionNames } from './settings';

/** What assistants write in place of a field, by its name. */
const guesses: Readonly<Record<string, readonly string[]>> = {
	checkOnly: ['dryRun', 'validateOnly', 'testMode'],
	sendOnceKey: ['sendOnce', 'idempotencyKey'],
	triggerOn: ['event', 'events', 'operation'],
};

const withGuesses = (name: string): string[] => [name, ...(guesses[name] ?? [])];

/** Collections of n8n's own nodes. */
const strays = ['additionalOptions', 'updateFields'];

const isSet = (value: unknown): boolean =>
	!['', false, undefined].includes(value as string) && !isEmpty(value);

/**
 * Adds hidden inputs for what n8n would drop: names of fields outside their collection, and guesses. Of a collection that
 * is declared a second time, n8n keeps all names.
 */
export function withHidden(inputs: readonly INodeProperties[]): INodeProperties[] {
	const collections = inputs.filter(({ type }) => type === 'collection');
	const fields = [...inputs, ...collections.flatMap(({ options }) => options!)];
	const names = [...fields.flatMap(({ name }) => withGuesses(name)), ...strays, 'method'];
	const beside = names.filter((name) => inputs.every((input) => input.name !== name));
	const hidden = { displayName: 'Not on the Form', type: 'hidden' } as const;
	return [
		...inputs,
		...collections.map((one) => ({
			...hidden,
			name: one.name,
			default: structuredClone(one.default),
		})),
		...[...new Set(beside)].map((name) => ({ ...hidden, name, default: '' })),
	];
}

/**
 * Refuses what is misplaced in a node's JSON. A person can neither see nor remove a hidden value in the editor, so one
 * that means a field counts only until that field is set.
 * @param parameters of the node, as they are saved
 * @param read gives an item's value of a parameter
 * @param items the number of items
 * @throws Failure that says where each belongs
 */
export function refuseMisplaced(
	operation: Operation,
	parameters: JsonObject,
	read: (name: string, item: number) => unknown,
	items = 1,
): void {
	const { specifyFields = 'form' } = parameters as { specifyFields?: string };
	const groups = layoutOf(operation).groups.filter(
		({ displayedWhen }) => displayedWhen?.specifyFields.includes(specifyFields) ?? true,
	);
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
		// Another operation may have had the option: n8n keeps it when a person chooses this one.
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
