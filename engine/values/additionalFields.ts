// What the service wants although its description does not name it: it is sent as it was given.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { labelOf } from '../form/labels';
import type { Layout } from '../form/layout';
import type { Settings } from '../form/settings';
import { isObject } from '../http/json';
import type { FieldProblem } from '../failure';

/**
 * Adds fields to a record. An object of the record may get more fields too.
 * @param fields of the record
 */
export function withAdditional(
	record: IDataObject,
	additional: object,
	fields: readonly Field[],
): IDataObject {
	const merged = Object.entries(additional).map(([name, value]: [string, unknown]) => {
		const group = fields.find((field) => field.name === name && field.type === 'group');
		const inside = group && 'fields' in group && isObject(value);
		const before = (record[name] ?? {}) as IDataObject;
		return [name, inside ? withAdditional(before, value, group.fields) : value] as const;
	});
	return { ...record, ...(Object.fromEntries(merged) as IDataObject) };
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** @param isText whether the values are sent as text, as those of a query are */
function problemTexts(additional: object, fields: readonly Field[], isText: boolean): string[] {
	return Object.entries(additional).flatMap(([name, value]: [string, unknown]) => {
		const field = fields.find((one) => one.name === name);
		if (field?.type === 'group' && isObject(value))
			return problemTexts(value, field.fields, isText).map((text) =>
				text.replace("'", `'${name}.`),
			);
		if (field) return [`has '${name}', which is a field of this form: give its value there`];
		return isText && !isPlain(value)
			? [`has '${name}', which must be text, a number, true or false`]
			: [];
	});
}

/** The problems of names that the request has by itself, since one of two values would be dropped. */
export function additionalProblems(
	{ groups, bodyFields, requestFields }: Layout,
	settings: Settings,
): FieldProblem[] {
	const { additionalFields } = settings;
	if (!additionalFields) return [];
	const options = groups.flatMap(({ fields }) => fields);
	const label = labelOf(options.find(({ name }) => name === 'additionalFields')!);
	const texts = problemTexts(additionalFields, requestFields(settings), bodyFields === undefined);
	return texts.map((text) => ({ label, text }));
}
