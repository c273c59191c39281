// Reads one item's values, as a node does, from a form that a test fills in.
import type { IDataObject } from 'n8n-workflow';

import { text, type Field, type Operation } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { isObject } from '../../../engine/http/json';
import { SavedForm } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
import { operationWith } from '../operation.cts';

export const newYork = 'America/New_York';

/**
 * Reads an item from the form.
 * @param form the parameters as n8n gives them, with their expressions resolved
 * @param saved the parameters as the editor saves them, with their expressions
 */
export const readSaved = (
	described: Operation,
	form: Record<string, unknown>,
	saved: IDataObject,
	timeZone = newYork,
	json: IDataObject = {},
) =>
	readItem(layoutOf(described), {
		parameter: (name) => ({ specifyFields: 'form', ...form })[name] ?? null,
		json,
		timeZone,
		form: new SavedForm(saved),
	});

const expression = '={{ … }}';
/** n8n's collections and lists hold inputs; a date or another object is one value. */
const holdsInputs = (value: unknown): value is object =>
	Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
const asExpressions = (value: unknown, levels: number): unknown => {
	if (levels === 0 || !holdsInputs(value)) return expression;
	if (Array.isArray(value)) return value.map((entry) => asExpressions(entry, levels - 1));
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, one]) => [name, asExpressions(one, levels - 1)]));
};

/** Reads an item from a form in which every input is an expression. */
export const readForm = (
	described: Operation,
	form: Record<string, unknown>,
	timeZone = newYork,
	json: IDataObject = {},
) => {
	// A collection, a list in it, an entry, an input of the entry.
	const saved = asExpressions(form, 5) as IDataObject;
	return readSaved(described, form, saved, timeZone, json);
};

/** Reads a body field from the form's collection; another field is set, so that the record is not empty. */
export function readField(
	field: Field,
	raw: unknown,
	timeZone = newYork,
	options: IDataObject = {},
) {
	const { values, problems, inputHints } = readForm(
		operationWith({ body: [field, text('other')] }),
		{ fields: { [field.name]: raw, other: 'set' }, options },
		timeZone,
	);
	const given = field.name in values.body!;
	return { value: values.body![field.name], given, problems, inputHints };
}
