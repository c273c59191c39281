// What a workflow's JSON has where no field of the form is, or under a name that is not a field's. n8n would drop it in
// silence and the node would send the rest, so n8n is made to keep it, and it is refused.
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { namesOf, type Operation } from '../area';
import { Failure } from '../failure';
import { isEmpty, isObject, orUndefined, type JsonObject } from '../http/json';
import { parameterName } from './labels';
import { layoutOf } from './layout';
import { optionNames } from './settings';

/** Names often guessed for an option that keeps rows from being sent. */
const guesses: Readonly<Record<string, readonly string[]>> = {
	checkOnly: ['dryRun', 'validateOnly', 'testMode'],
	sendOnceKey: ['sendOnce', 'idempotencyKey'],
};

/** Collections that n8n's own nodes have, and this package's do not. */
const collectionGuesses = ['additionalOptions', 'updateFields'];

const withGuesses = (name: string): string[] => [name, ...(guesses[name] ?? [])];

const isSet = (value: unknown): boolean =>
	![undefined, '', false].includes(value as string) && !isEmpty(value);

/**
 * Adds hidden inputs, for which n8n keeps all names in a collection and those of its fields next to it: a collection that
 * is declared once more is kept as it is.
 * @param others more names that are guessed
 */
export function withHidden(inputs: readonly INodeProperties[], ...others: string[]) {
	const names = inputs.map(({ name }) => name);
	const collections = inputs.filter(({ type }) => type === 'collection');
	const within = collections.flatMap(({ options }) => options!.map(({ name }) => name));
	const beside = [...within.flatMap(withGuesses), ...collectionGuesses, ...others];
	const added = new Map<string, INodeProperties['default']>([
		...collections.map((one) => [one.name, structuredClone(one.default)] as const),
		...beside.filter((name) => !names.includes(name)).map((name) => [name, ''] as const),
	]);
	const hidden = { displayName: 'Not on the Form', type: 'hidden' } as const;
	return [
		...inputs,
		...[...added].map(([name, initial]) => ({ ...hidden, name, default: initial })),
	];
}

/** @returns in words, a method, which assistants write, that contradicts the operation for one of the items */
export function otherMethodIn(ctx: IExecuteFunctions, { name, route }: Operation): string[] {
	if (!isSet(ctx.getNode().parameters.method)) return [];
	const methods = ctx
		.getInputData()
		.map((_, item) => String(ctx.getNodeParameter('method', item) as unknown));
	const other = methods.find((method) => !route.startsWith(`${method.toUpperCase()} `));
	return other ? [`parameters.method is ${other}, but parameters.operation is ${name}`] : [];
}

/**
 * Refuses what is misplaced in a node's JSON. A person can neither see nor remove a hidden value in the editor, so one
 * that means a field counts only while that field is empty.
 * @param parameters of the node, as they are saved
 * @param read gives the first item's value of a parameter
 * @param others more of it, in words
 * @throws Failure that says where each belongs
 */
export function refuseMisplaced(
	operation: Operation,
	parameters: JsonObject,
	read: (name: string) => unknown,
	others: readonly string[],
): void {
	const { specifyFields = 'form' } = parameters as { specifyFields?: string };
	const groups = layoutOf(operation).groups.filter(
		({ displayedWhen }) => displayedWhen?.specifyFields.includes(specifyFields) ?? true,
	);
	const inPlace = groups.flatMap(({ collection, fields }) => (collection ? [] : namesOf(fields)));
	const beside = (name: string) => !inPlace.includes(name) && isSet(parameters[name]);
	const problems = [
		...others,
		...collectionGuesses.filter(beside).map((name) => `parameters.${name} has no effect`),
	];
	for (const { collection, destination, fields } of groups) {
		if (!collection) continue;
		const place = `parameters.${collection.name}`;
		const saved = parameters[collection.name];
		const value = typeof saved === 'string' ? orUndefined(() => read(collection.name)) : saved;
		const given = isObject(value) ? value : {};
		const names = namesOf(fields).map(parameterName);
		// Another operation may have had the option: n8n keeps it when a person chooses this one.
		const known = destination === 'settings' ? [...names, ...optionNames] : names;
		const unknown = Object.keys(given).filter((one) => isSet(given[one]) && !known.includes(one));
		if (unknown.length > 0)
			problems.push(`${place} has no '${unknown.join("', '")}', only ${names.join(', ')}`);
		for (const { name: fieldName, label } of fields) {
			const name = parameterName(fieldName);
			const guess = withGuesses(name).find(beside);
			if (guess && (given[name] ?? '') === '')
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
