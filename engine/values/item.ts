// Reads and checks what one item gives for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../area';
import type { FieldProblem } from '../failure';
import type { ListQuery } from '../form/filter';
import type { Destination, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import type { DateConventions } from './dateTime';
import { FieldReader, isEmptyObject } from './fields';
import { formInputs, type FormSource } from './formInputs';
import { reversedDatesIn, type InputRemarks } from './inputRemarks';
import {
	additionalProblems,
	destinationsInRecord,
	emptyRecordProblem,
	readRecord,
	unknownNameProblems,
	withAdditional,
	type GivenRecord,
} from './record';

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
	const { json, timeZone } = source;
	const read = (destination: Destination, dates: DateConventions, record?: GivenRecord) => {
		const reader = new FieldReader(dates);
		const isInRecord = record && destinationsInRecord[record.source].includes(destination);
		for (const group of groups.filter((one) => one.destination === destination)) {
			if (isInRecord) reader.readRecordGroup(group, record.values);
			else reader.readGroup(group, formInputs(group, source));
		}
		return reader;
	};
	const ofSettings = read('settings', source);
	// The types here and below are certain: each value was checked against the tables.
	const settings = { ...defaultSettings, ...ofSettings.values } as unknown as Settings;
	const { datesInRows, additionalFields, include } = settings;
	const record = readRecord(layout, source, settings);
	const dates = { timeZone, datesInRows };
	const path = read('path', dates, record);
	const query = read('query', dates, record);
	const ofBody = read('body', dates, record);
	const readers = [path, query, ofBody, ofSettings];
	const body =
		bodyFields && additionalFields
			? withAdditional(ofBody.values, additionalFields)
			: ofBody.values;

	const nameProblems = unknownNameProblems(record);
	const problems = [
		...record.problems,
		...readers.flatMap((reader) => reader.problems),
		...nameProblems,
		...additionalProblems(layout, settings),
	];
	const bodyProblems = [...record.problems, ...nameProblems, ...ofBody.problems];
	if (bodyFields && bodyProblems.length === 0 && isEmptyObject(body)) {
		problems.push(emptyRecordProblem(record));
	}
	const includable: Record<string, IDataObject> = {
		sentFields: { ...path.values, ...body },
		inputItem: json,
	};
	return {
		values: {
			path: path.values as ItemValues['path'],
			query: query.values as ListQuery,
			body,
			settings,
			includedFields: includable[include ?? ''] ?? {},
		},
		problems,
		remarks: {
			omittedFields: readers.flatMap(({ omittedFields }) => omittedFields),
			datesWithoutTime: readers.flatMap(({ datesWithoutTime }) => datesWithoutTime),
			reversedDates: reversedDatesIn(bodyFields ?? [], body),
			unknownNames: namesOf(record.unknownNames),
		},
	};
}
