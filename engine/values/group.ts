// Reads one group of the form's fields for an item. A group without expressions is read once for all items, so that
// its parameters are not evaluated for each.
import type { IDataObject } from 'n8n-workflow';

import { parameterName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { FieldReader, ownValue, type FieldProblem } from './fields';
import { columnsIn } from './expressionColumns';
import {
	holdsExpression,
	inputValueOf,
	isExpression,
	objectOrEmpty,
	type FormParameters,
} from './formInputs';
import type { OmittedField } from './inputRemarks';

/** Where the values of the form come from. */
export interface FormSource {
	/** The item's value of a parameter, its expressions resolved; undefined or null when n8n hides the parameter. */
	parameter: (name: string) => unknown;
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** What is the same for all items of a run, so that it is not read again. */
	constantGroups: ConstantGroups;
}

export interface GroupValues {
	values: IDataObject;
	problems: readonly FieldProblem[];
	omittedFields: readonly OmittedField[];
}

/** The values of those groups of the form that hold no expressions. */
export class ConstantGroups {
	private readonly valuesByGroup = new Map<FieldGroup, GroupValues>();

	/** @param saved parameters of the node, in which an expression is a text that begins with `=` */
	constructor(readonly saved: IDataObject) {}

	private columns?: ReadonlySet<string>;

	/** The columns of the input item that expressions of the node read. */
	get columnsRead(): ReadonlySet<string> {
		return (this.columns ??= new Set(columnsIn(JSON.stringify(this.saved))));
	}

	private isConstant({ collection, fields }: FieldGroup): boolean {
		const names = collection ? [collection.name] : fields.map(({ name }) => parameterName(name));
		return !holdsExpression(names.map((name) => this.saved[name]));
	}

	/** @param read reads the group for the current item */
	valuesOf(group: FieldGroup, read: () => GroupValues): GroupValues {
		const constant = this.valuesByGroup.get(group);
		if (constant) return constant;
		const values = read();
		if (this.isConstant(group)) this.valuesByGroup.set(group, values);
		return values;
	}
}

/** The parameters of a group, their expressions not resolved. */
const savedIn = ({ collection }: FieldGroup, { constantGroups: { saved } }: FormSource) =>
	collection ? objectOrEmpty(saved[collection.name]) : saved;

function parametersIn(group: FieldGroup, source: FormSource): FormParameters {
	const { collection } = group;
	const { parameter } = source;
	const saved = savedIn(group, source);
	if (!collection) return { resolved: parameter, saved };
	const inCollection = objectOrEmpty(parameter(collection.name));
	return { resolved: (name) => ownValue(inCollection, name), saved };
}

/** Reads fields of the record or of the form itself, where an input that is left empty is nothing unusual. */
function readParameters(group: FieldGroup, source: FormSource, reader: FieldReader): IDataObject {
	const { fields, bodyObject, collection } = group;
	const parameters = parametersIn(group, source);
	const parent = bodyObject && collection ? { label: collection.label } : undefined;
	return reader.readFields(fields, (_, field) => inputValueOf(field, parameters), parent);
}

/**
 * Reads options. One that was added is meant to have a value, so that an empty one is a problem; one that was not
 * added has its default.
 */
function readOptions(group: FieldGroup, source: FormSource, reader: FieldReader): IDataObject {
	const { resolved, saved } = parametersIn(group, source);
	const isAdded = (name: string) => resolved(parameterName(name)) !== undefined;
	const addedOptions = group.fields.filter(({ name }) => isAdded(name));
	return reader.readFields(addedOptions, (name) => {
		const raw = resolved(name);
		return raw === null && !isExpression(saved[name]) ? '' : raw;
	});
}

/** Reads and checks one group of the form for one item. */
export function readGroup(group: FieldGroup, source: FormSource): GroupValues {
	return source.constantGroups.valuesOf(group, () => {
		const { destination, bodyObject, collection } = group;
		const isOptions = destination === 'settings' && collection !== undefined;
		const saved = savedIn(group, source);
		const reader = new FieldReader(
			source.timeZone,
			isOptions ? 'options' : 'form',
			({ name }) => saved[parameterName(name)],
		);
		const values = (isOptions ? readOptions : readParameters)(group, source, reader);
		const { problems, omittedFields } = reader;
		const isEmpty = Object.keys(values).length === 0;
		return {
			values: bodyObject && !isEmpty ? { [bodyObject]: values } : values,
			problems,
			omittedFields,
		};
	});
}
