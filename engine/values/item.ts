// Reads and checks what one item gives for an operation. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import type { ListQuery } from '../form/filter';
import type { Destination, FieldGroup, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import type { FieldProblem } from './fields';
import { readGroup, type FormSource, type GroupValues } from './group';
import type { InputRemarks, UnknownName } from './inputRemarks';
import {
	emptyRecordProblem,
	nearMissProblems,
	unknownNameProblems,
	type RecordSource,
} from './recordProblems';
import { reversedDatesIn } from './dateOrder';
import { knownNames, readJsonParameter, readRecord, unknownNamesIn } from './record';

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

export interface ItemSource extends FormSource {
	/** The input item itself. */
	json: IDataObject;
}

export interface CheckedItem {
	/** To be used only when there are no problems. */
	values: ItemValues;
	problems: FieldProblem[];
	remarks: InputRemarks;
}

/** Destinations whose values come from a record instead of the form, by 'Specify Fields'. */
const destinationsInRecord: Partial<Record<RecordSource, readonly Destination[]>> = {
	inputItem: ['path', 'body'],
	json: ['body'],
};

const groupsInRecord = ({ groups }: Layout, source: RecordSource): FieldGroup[] =>
	groups.filter(({ destination }) => destinationsInRecord[source]?.includes(destination));

interface ReadGroup extends GroupValues {
	destination: Destination;
}

const isEmptyObject = (object: object): boolean => Object.keys(object).length === 0;

type SentValues = Omit<ItemValues, 'includedFields'>;

/** The types of the result are certain: each value was checked against the tables. */
function valuesByDestination(readGroups: readonly ReadGroup[]): SentValues {
	const values: Record<Destination, IDataObject> = {
		path: {},
		query: {},
		body: {},
		settings: { ...defaultSettings },
	};
	for (const group of readGroups) Object.assign(values[group.destination], group.values);
	return values as unknown as SentValues;
}

function fieldsToInclude({ path, body, settings }: SentValues, json: IDataObject): IDataObject {
	if (settings.include === 'inputItem') return json;
	return settings.include === 'sentFields' ? { ...path, ...body } : {};
}

/**
 * Reads and checks what one item gives for an operation. An input that was left empty gives nothing. What was given
 * without a value (an expression that gives undefined, null or '', a null in a record) is not sent and is named in
 * `remarks`. 0 and false are kept, and so is '' as a text of a record.
 * @param layout the operation's layoutOf()
 */
export function readItem(layout: Layout, source: ItemSource): CheckedItem {
	const { groups, bodyFields } = layout;
	const recordSource = bodyFields ? (source.parameter('specifyFields') as RecordSource) : 'form';
	const recordGroups = groupsInRecord(layout, recordSource);
	const { record, problems: recordProblems } =
		recordSource === 'json'
			? readJsonParameter(source.parameter('json'), bodyFields!)
			: { record: source.json, problems: [] };
	const readGroups: ReadGroup[] = groups.map((group) => ({
		destination: group.destination,
		...(recordGroups.includes(group)
			? readRecord(group, record, source.timeZone)
			: readGroup(group, source)),
	}));
	const values = valuesByDestination(readGroups);
	const problems = [...recordProblems, ...readGroups.flatMap((group) => group.problems)];

	// A column that an expression of the node reads, such as that of the key, is used although it is not sent.
	const isRead = ({ name }: UnknownName) =>
		recordSource === 'inputItem' && source.constantGroups.columnsRead.has(name);
	const unknownNames =
		recordGroups.length > 0
			? unknownNamesIn(record, recordGroups).filter((unknownName) => !isRead(unknownName))
			: [];
	const known = knownNames(recordGroups);
	const bodyGroups = readGroups.filter(({ destination }) => destination === 'body');
	const isBodySound =
		recordProblems.length === 0 && bodyGroups.every((group) => group.problems.length === 0);
	if (bodyFields && isBodySound && isEmptyObject(values.body)) {
		problems.push(emptyRecordProblem(recordSource, record, unknownNames, known));
	} else if (recordSource === 'json') {
		problems.push(...unknownNameProblems(unknownNames, known));
	} else {
		problems.push(...nearMissProblems(unknownNames));
	}
	return {
		values: { ...values, includedFields: fieldsToInclude(values, source.json) },
		problems,
		remarks: {
			omittedFields: readGroups.flatMap((group) => group.omittedFields),
			unknownNames,
			reversedDates: bodyFields ? reversedDatesIn(bodyFields, values.body) : [],
		},
	};
}
