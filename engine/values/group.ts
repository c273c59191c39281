// One group of the form; what holds no expression is read once for all items.
import type { IDataObject } from 'n8n-workflow';

import { parametersOf } from '../form/inputs';
import { formName, labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { FieldReader, givenIn, type FieldProblem } from './fields';
import { inputValueOf, isExpression, objectIn, type FormParameters } from './formInputs';
import type { FieldLeftOut } from './leftOut';

/** Where the values of the form come from. */
export interface FormSource {
	/** The item's value of a form parameter, expressions resolved; nullish if hidden. */
	parameter: (name: string) => unknown;
	/** IANA name of the workflow's time zone. */
	zone: string;
	/** Spares reading again what is the same for all items of a run. */
	constants: ConstantGroups;
}

export interface GroupValues {
	values: IDataObject;
	problems: readonly FieldProblem[];
	leftOut: readonly FieldLeftOut[];
}

/** What the groups of the form give that hold no expressions. */
export class ConstantGroups {
	private readonly known = new Map<FieldGroup, GroupValues>();

	/** @param saved parameters of the node: an expression is a text that begins with `=` */
	constructor(readonly saved: IDataObject) {}

	private isConstant({ collection, fields }: FieldGroup): boolean {
		const names = collection ? [collection.name] : fields.flatMap(parametersOf);
		const saved = JSON.stringify(names.map((name) => this.saved[name]));
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

function parametersIn(
	{ collection }: FieldGroup,
	{ parameter, constants: { saved } }: FormSource,
): FormParameters {
	if (!collection) return { of: parameter, saved };
	const added = objectIn(parameter(collection.name));
	return { of: (name) => givenIn(added, name), saved: objectIn(saved[collection.name]) };
}

/** Fields are left empty as a matter of course. */
function readFields(group: FieldGroup, source: FormSource, reader: FieldReader): IDataObject {
	const { fields, inside, collection } = group;
	const parameters = parametersIn(group, source);
	const place = inside && collection ? { label: collection.label } : undefined;
	return reader.fields(fields, (_, field) => inputValueOf(field, parameters), place);
}

/** An option is added because it is meant to have a value; one that was not has its default. */
function readOptions(group: FieldGroup, source: FormSource, reader: FieldReader): IDataObject {
	const { of, saved } = parametersIn(group, source);
	const isAdded = (name: string) => of(formName(name)) !== undefined;
	const added = group.fields.filter(({ name }) => isAdded(name));
	for (const field of added) {
		const needed = 'needs' in field && group.fields.find(({ name }) => name === field.needs);
		if (needed && !isAdded(needed.name)) {
			const text = `does nothing without '${labelOf(needed)}': add it, or remove this option`;
			reader.problem(labelOf(field), text);
		}
	}
	return reader.fields(added, (name) => {
		const raw = of(name);
		return raw === null && !isExpression(saved[name]) ? '' : raw;
	});
}

/** Reads and checks one group of the form for one item. */
export function readGroup(group: FieldGroup, source: FormSource): GroupValues {
	return source.constants.valuesOf(group, () => {
		const { goesTo, inside, collection } = group;
		const isOptions = goesTo === 'settings' && collection !== undefined;
		const reader = new FieldReader(source.zone, isOptions ? 'options' : 'form');
		const values = (isOptions ? readOptions : readFields)(group, source, reader);
		const { problems, leftOut } = reader;
		const isEmpty = Object.keys(values).length === 0;
		return { values: inside && !isEmpty ? { [inside]: values } : values, problems, leftOut };
	});
}
