// One item's fields → checked values. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import { filterClash, type ListQuery } from '../form/filter';
import type { Destination, Layout } from '../form/layout';
import { defaults, type Settings } from '../form/settings';
import { FieldReader, type Problem } from './fields';
import { readGroup, type FormSource } from './group';
import { unknownText, type FieldLeftOut, type LeftOut } from './leftOut';
import { knownNames, readJsonParameter, readRecord, unknownNames } from './record';

/** One item's checked values, by where they go. */
export interface ItemValues {
	/** By the names in the request line's braces. */
	path: Record<string, string | number>;
	query: ListQuery;
	body: IDataObject;
	settings: Settings;
}

export interface ItemSource extends FormSource {
	/** The input item itself. */
	json: IDataObject;
}

/** What a record holds instead of the form, by "Specify Fields". */
function heldByRecord(way: unknown): readonly Destination[] {
	if (way === 'inputItem') return ['path', 'body'];
	return way === 'json' ? ['body'] : [];
}

export interface ItemRead {
	/** Only to be used when there are no problems. */
	values: ItemValues;
	problems: Problem[];
	leftOut: LeftOut;
}

/** The names that the input item may have, when a record is given by it. */
export const namesOfInputItem = ({ groups }: Layout): string[] =>
	knownNames(groups.filter(({ goesTo }) => heldByRecord('inputItem').includes(goesTo)));

/**
 * Reads and checks what one item gives for an operation.
 * Optional fields without a value (undefined, null) are left out, and named in `leftOut` when they were given;
 * 0, false and '' that were set are kept. An empty ETag or part name is no value.
 * @param layout the operation's layout()
 * @returns values by destination, all problems, and what was given but is not sent
 */
export function readItem({ groups, hasBody }: Layout, source: ItemSource): ItemRead {
	const { parameter, json, zone } = source;
	const way = hasBody ? parameter('specifyFields') : 'form';
	const holds = heldByRecord(way);
	const inRecord = groups.filter(({ goesTo }) => holds.includes(goesTo));
	const values: Record<Destination, IDataObject> = {
		path: {},
		query: {},
		body: {},
		settings: { ...defaults },
	};
	const problems: Problem[] = [];
	const fieldsLeftOut: FieldLeftOut[] = [];
	const unknown: string[] = [];
	for (const group of groups) {
		if (inRecord.includes(group)) continue;
		const read = readGroup(group, source);
		Object.assign(values[group.goesTo], read.values);
		problems.push(...read.problems);
		fieldsLeftOut.push(...read.leftOut);
	}
	if (inRecord.length > 0) {
		const reader = new FieldReader(zone, 'record');
		const record = way === 'json' ? readJsonParameter(reader, parameter('json')) : json;
		for (const destination of holds) {
			const groupsThere = inRecord.filter(({ goesTo }) => goesTo === destination);
			values[destination] = readRecord(reader, groupsThere, record);
		}
		const strangers = unknownNames(record, inRecord);
		if (way === 'json' || values.settings.unknownNames === 'refuse') {
			for (const name of strangers) reader.problem(name, 'is not a field of this operation');
		} else unknown.push(...strangers);
		problems.push(...reader.problems);
		fieldsLeftOut.push(...reader.leftOut);
	}
	const clash = filterClash(values.query);
	if (clash) problems.push(clash);
	if (hasBody && problems.length === 0 && Object.keys(values.body).length === 0) {
		const why = unknownText(unknown, knownNames(inRecord));
		const text = `hold no value: give at least one field${why && `. ${why}`}`;
		problems.push({ label: 'Fields', text });
	}
	return {
		// The types are derived from the tables by which each value was just checked.
		values: values as unknown as ItemValues,
		problems,
		leftOut: { fields: fieldsLeftOut, unknown },
	};
}
