// One group of the form; what holds no expression is read once for all items.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { formName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { FieldReader, type Problem } from './fields';

/** Where the values of the form come from. */
export interface FormSource {
	/** The item's value of a form parameter, expressions resolved; nullish if hidden. */
	parameter: (name: string) => unknown;
	/** IANA name of the workflow's time zone. */
	zone: string;
	/** Spares reading again what is the same for all items of a run. */
	constants?: Constants;
}

export interface GroupValues {
	values: IDataObject;
	problems: readonly Problem[];
}

/** What the groups of the form give that hold no expressions. */
export class Constants {
	private readonly known = new Map<FieldGroup, GroupValues>();

	/** @param parameters of the node, as they were saved: an expression is a text that begins with `=` */
	constructor(private readonly parameters: IDataObject) {}

	private isConstant({ collection, fields }: FieldGroup): boolean {
		const names = collection ? [collection.name] : fields.map(({ name }) => formName(name));
		const saved = JSON.stringify(names.map((name) => this.parameters[name]));
		return !saved.includes('"=');
	}

	/** @param read gives what the group holds for the item at hand */
	valuesOf(group: FieldGroup, read: () => GroupValues): GroupValues {
		const known = this.known.get(group);
		if (known) return known;
		const values = read();
		if (this.isConstant(group)) this.known.set(group, values);
		return values;
	}
}

function valuesOf(
	reader: FieldReader,
	{ goesTo, inside, collection, fields }: FieldGroup,
	parameter: FormSource['parameter'],
): IDataObject {
	if (!collection) return reader.fields(fields, (name) => parameter(formName(name)));
	const given = (parameter(collection.name) ?? {}) as IDataObject;
	// n8n hands over only the options that were added; the others have the value their form starts with.
	const initial = (field: Field) =>
		goesTo === 'settings' && 'default' in field ? field.default : undefined;
	const read = reader.fields(
		fields,
		(name, field) => given[formName(name)] ?? initial(field),
		inside && `${collection.label} › `,
	);
	if (!inside) return read;
	return Object.keys(read).length > 0 ? { [inside]: read } : {};
}

/** Reads and checks one group of the form for one item. */
export function readGroup(
	group: FieldGroup,
	{ parameter, zone, constants }: FormSource,
): GroupValues {
	const read = (): GroupValues => {
		const reader = new FieldReader(zone, true);
		return { values: valuesOf(reader, group, parameter), problems: reader.problems };
	};
	return constants ? constants.valuesOf(group, read) : read();
}
