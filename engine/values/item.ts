// Reads and checks one item's values for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../area';
import type { ListQuery } from '../form/filter';
import type { Destination, Layout } from '../form/layout';
import { additionalFields, defaultSettings, type Settings } from '../form/settings';
import type { JsonObject } from '../http/json';
import { FieldReader } from './fields';
import { objectOrEmpty, type FormSource } from './formInputs';
import { additionalProblems, recordProblems, readRecord } from './record';
import type { Conventions } from './dateTime';

/** One item's checked values, by the part of the request or run that uses them. */
export interface ItemValues {
	/** IDs, by the names in the route's braces. */
	path: Record<string, string | number>;
	query: ListQuery;
	/** The record to send, if any; if its fields are not in the API spec, the given object or list. */
	body?: IDataObject;
	settings: Settings;
	/** The fields that the setting 'Include' adds to the service's response. */
	includedFields: IDataObject;
}

/**
 * Reads and checks one item's values for an operation. An input that was left empty is ignored. A field given without a
 * value (an expression that returns undefined, null or ''; null in a record; '' for anything but a text) is not sent,
 * and is named in `inputHints`. 0 and false are values, and so is '' for a text of a record.
 * @param layout the operation's layoutOf()
 * @returns values, which must not be sent if there are problems
 */
export function readItem(layout: Layout, source: FormSource) {
	const { groups, bodyFields } = layout;
	const { parameter, json, form } = source;
	const conventions: Conventions = { ...source, datesInRows: 'iso' };
	const reader = new FieldReader(conventions);
	// The casts are safe, because each value is checked against the tables.
	const readGroups = (part: Destination, values: JsonObject, record?: JsonObject) => {
		for (const group of groups.filter(({ destination }) => destination === part)) {
			const given = record ?? form.valuesOf(group, parameter);
			const areOptions = group.collection !== undefined;
			Object.assign(values, reader.readFields(group.fields, given, '', areOptions));
		}
		return values as unknown;
	};
	const given = readGroups('settings', {}) as IDataObject;
	const settings = { ...defaultSettings, ...given } as Settings;
	const settingsProblems = [...reader.problems];
	// Settings contain no dates, so the format of dates is known before the first one is read.
	conventions.datesInRows = settings.datesInRows;
	const record = readRecord(layout, source, settings);
	const fromItem = record.source === 'inputItem' ? json : undefined;
	const path = readGroups('path', {}, fromItem) as ItemValues['path'];
	const query = readGroups('query', {}) as ListQuery;
	const { problems, hints } = reader;
	problems.push(...additionalProblems(layout, settings, path));
	let body = settings.body as IDataObject | undefined;
	if (bodyFields) {
		const read = record.values && reader.readFields(bodyFields, record.values);
		body = { ...read, ...settings.additionalFields };
		const lists = bodyFields.filter(
			({ name, type }) => type === 'objects' && ((read?.[name] ?? []) as unknown[]).length > 1,
		);
		if (lists.length > 1) hints.severalLists = lists.map(({ label }) => label);
		problems.push(...recordProblems(record, body, problems));
	}
	const sentFields = { ...path, ...(Array.isArray(body) ? { body } : body) };
	const includable: Record<string, IDataObject> = { sentFields, inputItem: json };
	// The options are the last group.
	const optionNames = namesOf(groups.at(-1)!.fields);
	// Only writes have this option.
	const includedFields = (optionNames.includes('include') && includable[settings.include]) || {};
	const values: ItemValues = { path, query, body, settings, includedFields };
	hints.unknownNames = namesOf(record.unknownNames);
	// n8n keeps it when a person switches to an operation without it.
	const { name, label } = additionalFields;
	const kept = optionNames.includes(name) ? {} : objectOrEmpty(form.parameters.options)[name];
	if (/\w/.test(JSON.stringify(kept ?? ''))) hints.unknownNames.push(label);
	// If 'Specify Fields' is invalid, n8n hides all fields of the record, so their problems would be misleading.
	const isHidden = bodyFields && given.specifyFields === undefined;
	return { values, problems: isHidden ? settingsProblems : problems, inputHints: hints };
}
