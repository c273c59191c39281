// Reads and checks what one item gives for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../area';
import type { FieldProblem } from '../failure';
import type { ListQuery } from '../form/filter';
import type { FieldGroup, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import { FieldReader, isEmptyObject } from './fields';
import type { FormSource } from './formInputs';
import { reversedDatesIn, type InputRemarks } from './inputRemarks';
import { additionalProblems, emptyRecordProblem, readRecord, withAdditional } from './record';

/** One item's checked values, by the part of the request or of the run that uses them. */
export interface ItemValues {
	/** IDs, by the names in the request line's braces. */
	path: Record<string, string | number>;
	query: ListQuery;
	body: IDataObject;
	settings: Settings;
	/** What the output has in addition to the service's answer, by the setting 'Include'. */
	includedFields: IDataObject;
}

export interface CheckedItem {
	/** To be used only when there are no problems. */
	values: ItemValues;
	problems: FieldProblem[];
	remarks: InputRemarks;
}

/**
 * Reads and checks what one item gives for an operation. An input that was left empty gives nothing. A field that was
 * given without a value (an expression that gives undefined, null or '', a null in a record) is not sent and is named
 * in `remarks`. 0 and false are kept, and so is '' as a text of a record.
 * @param layout the operation's layoutOf()
 */
export function readItem(layout: Layout, source: FormSource): CheckedItem {
	const { groups, bodyFields } = layout;
	const { json, timeZone, form } = source;
	// The types of the values are certain: each was checked against the tables.
	const values = {
		path: {},
		query: {},
		body: {},
		settings: { ...defaultSettings } as unknown as Settings,
		includedFields: {},
	} as ItemValues;
	const { settings } = values;
	const readers: FieldReader[] = [];
	const add = (reader: FieldReader) => {
		readers.push(reader);
		Object.assign(values[reader.group.destination], reader.values);
	};
	const isOfSettings = ({ destination }: FieldGroup) => destination === 'settings';
	for (const group of groups.filter(isOfSettings)) add(form.readGroup(group, source, { timeZone }));
	const record = readRecord(layout, source, settings);
	const dates = { timeZone, datesInRows: settings.datesInRows };
	for (const group of groups.filter((each) => !isOfSettings(each))) {
		const isOnForm = group.displayedWhen?.specifyFields.includes(record.source) ?? true;
		if (isOnForm) add(form.readGroup(group, source, dates));
		else add(new FieldReader(group, dates).readRecord(record.values));
	}
	const problems = [...record.problems, ...readers.flatMap((reader) => reader.problems)];
	problems.push(...additionalProblems(layout, settings));
	if (bodyFields && settings.additionalFields) {
		values.body = withAdditional(values.body, settings.additionalFields);
	}
	const ofBody = readers.filter(({ group }) => group.destination === 'body');
	const isBodyRead = [record, ...ofBody].every((part) => part.problems.length === 0);
	if (bodyFields && isBodyRead && isEmptyObject(values.body)) {
		problems.push(emptyRecordProblem(record));
	}
	if (settings.include === 'inputItem') values.includedFields = json;
	if (settings.include === 'sentFields') values.includedFields = { ...values.path, ...values.body };
	return {
		values,
		problems,
		remarks: {
			omittedFields: readers.flatMap(({ omittedFields }) => omittedFields),
			datesWithoutTime: readers.flatMap(({ datesWithoutTime }) => datesWithoutTime),
			reversedDates: reversedDatesIn(bodyFields ?? [], values.body),
			unknownNames: namesOf(record.unknownNames),
		},
	};
}
