// Edits of records that the interface has no operation for: what a person in the agency's office does.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';

import { readOpenApi, type OpenApiNode } from './openapi.mts';
import type { RecordData, RecordStore } from './recordStore.mts';

/** The lists that can be edited, by their schema in openapi.yaml. */
const editableSchemas = {
	vendor: 'Vendor',
	deviceCode: 'DeviceCode',
	criticalInfrastructure: 'CriticalInfrastructure',
};

export type EditableKind = keyof typeof editableSchemas;

export const editableKinds = Object.keys(editableSchemas) as EditableKind[];

export const isEditable = (kind: string): kind is EditableKind =>
	Object.hasOwn(editableSchemas, kind);

/** The fields that the service adds to a record when it lists it; nobody edits them. */
const fieldsSetByService = [
	'rowNum',
	'rowVersion',
	'archive',
	'departmentBusinessID',
	'InfrastructureID',
];

interface FieldSchema {
	type: 'string' | 'integer';
	format?: string;
}

type Fields = Record<string, FieldSchema>;

/** The fields that an editable record has, as openapi.yaml describes them. */
export function editableFields(kind: EditableKind): Fields {
	const { components } = readOpenApi() as unknown as {
		components: { schemas: Record<string, OpenApiNode & { properties: Fields }> };
	};
	const { properties } = components.schemas[editableSchemas[kind]]!;
	return Object.fromEntries(
		Object.entries(properties).filter(([name]) => !fieldsSetByService.includes(name)),
	);
}

const checks = new Map<EditableKind, ValidateFunction>();

function checkOf(kind: EditableKind): ValidateFunction {
	const properties = editableFields(kind);
	// Forms send nothing but text.
	const ajv = formatsPlugin.default(new Ajv2020({ coerceTypes: true }));
	const check =
		checks.get(kind) ?? ajv.compile({ type: 'object', additionalProperties: false, properties });
	checks.set(kind, check);
	return check;
}

/** Whether an empty value means that the field is removed: only a plain text can be empty. */
const isAbsent = ({ type, format }: FieldSchema, value: unknown): boolean =>
	value === '' && (type !== 'string' || format !== undefined);

/**
 * A record with some of its fields changed.
 * @param changes by field; numbers may be given as text, and '' removes a field that cannot be empty
 * @throws TypeError when a field does not fit; its message is meant for people
 */
function withChanges(kind: EditableKind, data: RecordData, changes: RecordData): RecordData {
	const fields = editableFields(kind);
	const given = Object.entries(changes);
	const absent = given.filter(([name, value]) => fields[name] && isAbsent(fields[name], value));
	const values = Object.fromEntries(given.filter((entry) => !absent.includes(entry)));
	const check = checkOf(kind);
	if (!check(values)) {
		const [{ instancePath, params, message = '' }] = check.errors as [
			NonNullable<typeof check.errors>[0],
		];
		const name = (params.additionalProperty as string | undefined) ?? instancePath.slice(1);
		throw new TypeError(`${name} ${message}`);
	}
	const rest = Object.entries(data).filter(([name]) => !absent.some(([gone]) => gone === name));
	return { ...Object.fromEntries(rest), ...values };
}

/**
 * @param fields of the new record; numbers may be given as text
 * @returns its ID
 * @throws TypeError when a field does not fit
 */
export const addRecord = (store: RecordStore, kind: EditableKind, fields: RecordData): number =>
	store.insert(kind, withChanges(kind, {}, fields));

/**
 * @param changes fields that change; the others stay as they are
 * @throws TypeError when a field does not fit, or there is no such record
 */
export function changeRecord(
	store: RecordStore,
	kind: EditableKind,
	id: number,
	changes: RecordData,
): void {
	const record = store.get(kind, id);
	if (!record) throw new TypeError(`There is no ${kind} ${id}`);
	store.update(kind, id, withChanges(kind, record.data, changes));
}

/** @throws TypeError when there is no such record */
export function removeRecord(store: RecordStore, kind: EditableKind, id: number): void {
	if (!store.get(kind, id)) throw new TypeError(`There is no ${kind} ${id}`);
	store.remove(kind, id);
}
