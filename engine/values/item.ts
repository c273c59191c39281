// Reads and checks what one item gives for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { namesOf } from '../area';
import type { FieldProblem } from '../failure';
import type { ListQuery } from '../form/filter';
import type { Destination, FieldGroup, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import { additionalProblems, withAdditional } from './additionalFields';
import { isEmptyObject, type ReadFields } from './fields';
import { readGroup, type FormSource } from './formInputs';
import { reversedDatesIn, type InputRemarks } from './inputRemarks';
import {
	emptyRecordProblem,
	readJsonParameter,
	readRecord,
	unknownNameProblems,
	unknownNamesIn,
	type RecordSource,
	type UnknownName,
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

/** Destinations whose values come from a record instead of the form, by 'Specify Fields', which may be anything. */
const destinationsInRecord = new Map<string, readonly Destination[]>([
	['inputItem', ['path', 'body']],
	['json', ['body']],
]);

type SentValues = Omit<ItemValues, 'includedFields'>;

/** The types of the result are certain: each value was checked against the tables. */
function valuesByDestination(parts: readonly ReadFields[]): SentValues {
	const values: Record<Destination, IDataObject> = {
		path: {},
		query: {},
		body: {},
		settings: { ...defaultSettings },
	};
	for (const part of parts) Object.assign(values[part.destination], part.values);
	return values as unknown as SentValues;
}

function fieldsToInclude({ path, body, settings }: SentValues, json: IDataObject): IDataObject {
	if (settings.include === 'inputItem') return json;
	return settings.include === 'sentFields' ? { ...path, ...body } : {};
}

/** The fields of a record that have one destination. */
const fieldsFor = (destination: Destination, { groups, bodyFields = [] }: Layout) =>
	destination === 'body'
		? bodyFields
		: groups.filter((group) => group.destination === destination).flatMap(({ fields }) => fields);

/**
 * Reads and checks what one item gives for an operation. An input that was left empty gives nothing. What was given
 * without a value (an expression that gives undefined, null or '', a null in a record) is not sent and is named in
 * `remarks`. 0 and false are kept, and so is '' as a text of a record.
 * @param layout the operation's layoutOf()
 */
export function readItem(layout: Layout, source: FormSource): CheckedItem {
	const { groups, bodyFields } = layout;
	const { parameter, json, constantGroups } = source;
	const recordSource = bodyFields ? (parameter('specifyFields') as RecordSource) : 'form';
	const inRecord = destinationsInRecord.get(recordSource) ?? [];
	const { record, problems: jsonProblems } =
		recordSource === 'json'
			? readJsonParameter(parameter('json'), bodyFields!)
			: { record: json, problems: [] };
	const isSetting = ({ destination }: FieldGroup) => destination === 'settings';
	const settingsParts = groups.filter(isSetting).map((group) => readGroup(group, source));
	const { datesInRows } = valuesByDestination(settingsParts).settings;
	const parts: ReadFields[] = [
		...inRecord.map((destination) =>
			readRecord(destination, fieldsFor(destination, layout), record, { ...source, datesInRows }),
		),
		...groups
			.filter((group) => !isSetting(group) && !inRecord.includes(group.destination))
			.map((group) => readGroup(group, { ...source, datesInRows })),
		...settingsParts,
	];
	const values = valuesByDestination(parts);
	const { additionalFields } = values.settings;
	if (bodyFields && additionalFields)
		values.body = withAdditional(values.body, additionalFields, bodyFields);

	const recordFields = inRecord.flatMap((destination) => fieldsFor(destination, layout));
	// A column that an expression of the node reads, such as that of the key, is used although it is not sent.
	const isUsed = ({ name }: UnknownName) =>
		recordSource === 'inputItem' && constantGroups.columnsRead.has(name);
	const unknownNames =
		inRecord.length === 0
			? []
			: unknownNamesIn(record, recordFields).filter((unknownName) => !isUsed(unknownName));

	const nameProblems = unknownNameProblems(recordSource, unknownNames, recordFields);
	const problems = [
		...jsonProblems,
		...parts.flatMap((part) => part.problems),
		...nameProblems,
		...additionalProblems(layout, values.settings),
	];
	const isBodySound =
		jsonProblems.length + nameProblems.length === 0 &&
		parts.every((part) => part.destination !== 'body' || part.problems.length === 0);
	if (bodyFields && isBodySound && isEmptyObject(values.body)) {
		problems.push(emptyRecordProblem(recordSource, unknownNames, recordFields));
	}
	return {
		values: { ...values, includedFields: fieldsToInclude(values, json) },
		problems,
		remarks: {
			omittedFields: parts.flatMap(({ omittedFields }) => omittedFields),
			datesWithoutTime: parts.flatMap(({ datesWithoutTime }) => datesWithoutTime),
			reversedDates: bodyFields ? reversedDatesIn(bodyFields, values.body) : [],
			unknownNames: namesOf(unknownNames),
		},
	};
}
