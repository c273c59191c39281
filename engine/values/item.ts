// Reads and checks what one item gives for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../area';
import type { FieldProblem } from '../failure';
import type { ListQuery } from '../form/filter';
import type { Destination, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import { FieldReader, isEmptyObject } from './fields';
import type { FormSource } from './formInputs';
import { reversedDatesIn, type InputRemarks } from './inputRemarks';
import {
	additionalProblems,
	destinationsInRecord,
	emptyRecordProblem,
	readRecord,
	unknownNameProblems,
	withAdditional,
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
	const { json, timeZone, form } = source;
	const ofSettings = groups
		.filter(({ destination }) => destination === 'settings')
		.map((group) => form.readGroup(group, source, { timeZone }));
	const settingsGiven = ofSettings.map(({ values }) => values);
	// The types here and below are certain: each value was checked against the tables.
	const settings = Object.assign({}, defaultSettings, ...settingsGiven) as Settings;
	const { datesInRows, additionalFields, include } = settings;
	const record = readRecord(layout, source, settings);
	const dates = { timeZone, datesInRows };
	const inRecord = destinationsInRecord[record.source];
	const ofRequest = groups
		.filter(({ destination }) => destination !== 'settings')
		.map((group) =>
			inRecord.includes(group.destination)
				? new FieldReader(group, dates).readRecord(record.values)
				: form.readGroup(group, source, dates),
		);
	const readersOf = (part: Destination) =>
		ofRequest.filter(({ group }) => group.destination === part);
	const readAt = (part: Destination) =>
		Object.assign({}, ...readersOf(part).map(({ values }) => values)) as IDataObject;
	const [path, fields] = [readAt('path'), readAt('body')];
	const body = bodyFields && additionalFields ? withAdditional(fields, additionalFields) : fields;

	const readers = [...ofRequest, ...ofSettings];
	const nameProblems = unknownNameProblems(record);
	const problems = [
		...record.problems,
		...readers.flatMap((reader) => reader.problems),
		...nameProblems,
		...additionalProblems(layout, settings),
	];
	const bodyProblems = [record, ...readersOf('body')].flatMap((one) => one.problems);
	if (bodyFields && [...bodyProblems, ...nameProblems].length === 0 && isEmptyObject(body)) {
		problems.push(emptyRecordProblem(record));
	}
	const includable: Record<string, IDataObject> = {
		sentFields: { ...path, ...body },
		inputItem: json,
	};
	return {
		values: {
			path: path as ItemValues['path'],
			query: readAt('query') as ListQuery,
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
