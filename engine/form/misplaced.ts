// Parameters in a workflow's JSON that are in the wrong place or have a wrong name. n8n would silently drop them, and the
// node would send the rest. Hidden inputs make n8n keep them, so that the node can refuse them.
import type { INodeProperties } from 'n8n-workflow';

import { isWriting, namesOf, type Operation } from '../area';
import { Failure } from '../failure';
import { isEmpty, isObject, orUndefined, type JsonObject } from '../http/json';
import { parameterName } from './labels';
import { layoutOf, type FieldGroup } from './layout';
import { optionNames } from './settings';

/** Names that assistants invented in trials, by the field that they stood for; `none` if no form has such a field. */
const inventedNames: Readonly<Record<string, string>> = {
	checkOnly: 'dryRun preview simulate testMode validate validateOnly',
	sendOnceKey: 'deduplicate idempotencyKey sendOnce skipDuplicates uniqueKey',
	triggerOn: 'event events operation',
	inputDataFieldName: 'binaryProperty binaryPropertyName inputBinaryField',
	none: 'additionalOptions customFields headerParameters headers method orderBy pollInterval query queryParameters search sort timezone updateFields where',
};

/** A field's name, then the invented ones. */
const namesFor = (field: string): string[] => [field, ...(inventedNames[field]?.split(' ') ?? [])];

const isSet = (value: unknown) => value === 0 || !isEmpty(value || null);

/**
 * Adds hidden inputs for names that n8n would drop: those of fields outside their collection, and invented ones. If a
 * collection is declared a second time, as hidden, n8n keeps all names in it.
 */
export function withHidden(inputs: readonly INodeProperties[]): INodeProperties[] {
	const collections = inputs.filter(({ type }) => type === 'collection');
	const fields = [...inputs, ...collections.flatMap(({ options }) => options!)];
	const names = [...namesOf(fields), ...Object.keys(inventedNames).flatMap(namesFor)];
	const beside = names.filter((name) => inputs.every((input) => input.name !== name));
	const hidden = { displayName: 'Not on the Form', type: 'hidden', default: '' } as const;
	const again = collections.map((one) =>
		structuredClone({ ...one, type: hidden.type, options: [] }),
	);
	return [...inputs, ...again, ...[...new Set(beside)].map((name) => ({ ...hidden, name }))];
}

/** @returns why the value of a collection cannot be used: it has names that the collection does not have */
export function unknownNames({ destination, fields }: FieldGroup, given: JsonObject) {
	const names = namesOf(fields).map(parameterName);
	// n8n keeps another operation's options when a person switches to this one.
	const known = destination === 'settings' ? [...names, ...optionNames] : names;
	const unknown = Object.keys(given).filter((one) => isSet(given[one]) && !known.includes(one));
	return unknown.length > 0 && `has no '${unknown.join("', '")}', only ${names.join(', ')}`;
}

/**
 * Refuses misplaced parameters. A person can neither see nor remove a hidden value in the editor, so once the field that
 * it stands for is set, the hidden value is ignored.
 * @param parameters of the node, as they are saved
 * @param read gives the first item's value of a parameter
 * @throws Failure that says where each parameter belongs
 */
export function refuseMisplaced(
	operation: Operation,
	parameters: JsonObject,
	read: (name: string) => unknown,
): void {
	const { groups } = layoutOf(operation);
	const inPlace = groups.flatMap(({ collection, fields }) => (collection ? [] : namesOf(fields)));
	const isBeside = (name: string) => !inPlace.includes(name) && isSet(parameters[name]);
	const strays = namesFor('none').filter(isBeside);
	const problems = strays.map((name) => `parameters.${name} has no effect`);
	for (const group of groups) {
		const { collection, fields } = group;
		const saved = collection ? parameters[collection.name] : parameters;
		const value = typeof saved === 'string' ? orUndefined(() => read(collection!.name)) : saved;
		const given = isObject(value) ? value : {};
		const place = collection ? `parameters.${collection.name}` : 'parameters';
		const unknown = collection && unknownNames(group, given);
		if (unknown) problems.push(`${place} ${unknown}`);
		for (const { label, default: start, ...field } of fields) {
			const name = parameterName(field.name);
			const other = namesFor(name).find(isBeside);
			const isUnset = JSON.stringify(given[name] ?? '') === JSON.stringify(collection ? '' : start);
			if (other && isUnset && parameters[other] !== given[name])
				problems.push(`parameters.${other} belongs in ${place}.${name} ('${label}')`);
		}
	}
	if (problems.length === 0) return;
	const advice =
		'Nothing was sent. Correct the JSON, set the field on the form, or replace the node.';
	const message = `In the workflow's JSON, ${problems.join('; ')}`;
	throw new Failure(message, 'notSent', { code: 'settingsUnusable', advice });
}

/** The hint that a key was given to an operation that only reads, as if it kept rows from being returned again. */
export function unusedKeyHint(operation: Operation, { options, ...beside }: JsonObject) {
	const given: JsonObject = { ...beside, ...(options as JsonObject) };
	if (isWriting(operation) || !namesFor('sendOnceKey').some((name) => isSet(given[name]))) return;
	return "'Send Once' has no effect here, since this operation only reads: each run returns all rows. For new rows only, use Agency Records Trigger.";
}
