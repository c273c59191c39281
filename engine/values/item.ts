// One item's fields → checked values. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import type { ListQuery } from '../form/filter';
import type { Destination, Layout } from '../form/layout';
import { defaults, type Settings } from '../form/settings';
import { FieldReader, type Problem } from './fields';
import { readGroup, type FormSource } from './group';
import { readJsonParameter, readRecord, unknownNames } from './record';

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

/**
 * Reads and checks what one item gives for an operation.
 * Unset (undefined, null) optional fields are left out; 0, false and '' that were set are kept.
 * @param layout the operation's layout()
 * @returns values by destination, and all problems; values are only to be used when there are none
 */
export function readItem(
	{ groups, hasBody }: Layout,
	source: ItemSource,
): { values: ItemValues; problems: Problem[] } {
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
	for (const group of groups) {
		if (inRecord.includes(group)) continue;
		const read = readGroup(group, source);
		Object.assign(values[group.goesTo], read.values);
		problems.push(...read.problems);
	}
	if (inRecord.length > 0) {
		const reader = new FieldReader(zone, false);
		const record = way === 'json' ? readJsonParameter(reader, parameter('json')) : json;
		for (const destination of holds) {
			const groupsThere = inRecord.filter(({ goesTo }) => goesTo === destination);
			values[destination] = readRecord(reader, groupsThere, record);
		}
		if (way === 'json' || values.settings.unknownNames === 'refuse') {
			for (const name of unknownNames(record, inRecord)) {
				reader.problem(name, 'is not a field of this operation');
			}
		}
		problems.push(...reader.problems);
	}
	if (hasBody && problems.length === 0 && Object.keys(values.body).length === 0) {
		problems.push({ label: 'Fields', text: 'hold no value: give at least one field' });
	}
	// The types are derived from the tables by which each value was just checked.
	return { values: values as unknown as ItemValues, problems };
}
