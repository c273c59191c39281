// One item's fields → checked values. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import type { ListQuery } from '../form/filter';
import type { Destination, FieldGroup, Layout } from '../form/layout';
import { defaultSettings, type Settings } from '../form/settings';
import type { FieldProblem } from './fields';
import { readGroup, type FormSource, type GroupValues } from './group';
import type { LeftOut } from './leftOut';
import { nothingGivenProblem, unknownNameProblems, type RecordSource } from './recordProblems';
import { reversedDatesIn } from './dateOrder';
import { knownNames, readJsonParameter, readRecord, unknownNamesIn } from './record';

/** One item's checked values, by where they go. */
export interface ItemValues {
	/** By the names in the request line's braces. */
	path: Record<string, string | number>;
	query: ListQuery;
	body: IDataObject;
	settings: Settings;
	/** What the output holds beside the service's answer, by the setting 'Include'. */
	included: IDataObject;
}

export interface ItemSource extends FormSource {
	/** The input item itself. */
	json: IDataObject;
}

export interface ItemRead {
	/** Only to be used when there are no problems. */
	values: ItemValues;
	problems: FieldProblem[];
	leftOut: LeftOut;
}

/** What a record holds instead of the form, by "Specify Fields". */
const heldByRecord: Partial<Record<RecordSource, readonly Destination[]>> = {
	inputItem: ['path', 'body'],
	json: ['body'],
};

const groupsHeld = ({ groups }: Layout, way: RecordSource): FieldGroup[] =>
	groups.filter(({ goesTo }) => heldByRecord[way]?.includes(goesTo));

/** The names that the input item may have, when a record is given by it. */
export const namesOfInputItem = (layout: Layout): string[] =>
	knownNames(groupsHeld(layout, 'inputItem'));

interface ReadGroup extends GroupValues {
	goesTo: Destination;
}

const isEmptyObject = (object: object): boolean => Object.keys(object).length === 0;

type SentValues = Omit<ItemValues, 'included'>;

/** The types are those of the tables, by which each value was checked. */
function merged(parts: readonly ReadGroup[]): SentValues {
	const values: Record<Destination, IDataObject> = {
		path: {},
		query: {},
		body: {},
		settings: { ...defaultSettings },
	};
	for (const part of parts) Object.assign(values[part.goesTo], part.values);
	return values as unknown as SentValues;
}

function included({ path, body, settings }: SentValues, json: IDataObject): IDataObject {
	if (settings.include === 'inputItem') return json;
	return settings.include === 'sentFields' ? { ...path, ...body } : {};
}

/**
 * Reads and checks what one item gives for an operation. An input that was left empty gives nothing; what was
 * given without a value (an expression that gives undefined, null or '', a null in a record) is left out and
 * named in `leftOut`; 0 and false are kept, and the '' of a record's texts.
 * @param layout the operation's layout()
 * @returns values by destination, all problems, and what was given but is not sent
 */
export function readItem(layout: Layout, source: ItemSource): ItemRead {
	const { groups, body } = layout;
	const way = body ? (source.parameter('specifyFields') as RecordSource) : 'form';
	const held = groupsHeld(layout, way);
	const given =
		way === 'json'
			? readJsonParameter(source.parameter('json'), body!)
			: { record: source.json, problems: [] };
	const { record } = given;
	const parts: ReadGroup[] = groups.map((group) => ({
		goesTo: group.goesTo,
		...(held.includes(group) ? readRecord(group, record, source.zone) : readGroup(group, source)),
	}));
	const values = merged(parts);
	const problems = [...given.problems, ...parts.flatMap((part) => part.problems)];

	const strangers = held.length > 0 ? unknownNamesIn(record, held) : [];
	const known = knownNames(held);
	const ofBody = parts.filter(({ goesTo }) => goesTo === 'body');
	const isSound = given.problems.length === 0 && ofBody.every((part) => part.problems.length === 0);
	if (body && isSound && isEmptyObject(values.body)) {
		problems.push(nothingGivenProblem(way, record, strangers, known));
	} else if (way === 'json' || values.settings.unknownNames === 'refuse') {
		problems.push(...unknownNameProblems(strangers, known));
	}
	return {
		values: { ...values, included: included(values, source.json) },
		problems,
		leftOut: {
			fields: parts.flatMap((part) => part.leftOut),
			unknownNames: strangers,
			reversedDates: body ? reversedDatesIn(body, values.body) : [],
		},
	};
}
