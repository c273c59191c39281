// Edits of records that the API spec has no operation for: what a person in the agency's office does.
import { readOpenApi, type OpenApiNode } from './openapi.mts';
import type { RecordData, RecordStore } from './recordStore.mts';
import { requireValid } from './validation.mts';

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

/** The names of the fields that the service adds to a record when it lists it. */
const setByService = /^(rowNum|rowVersion|archive|departmentBusinessID|InfrastructureID)$/;

/** The fields that an editable record has, as openapi.yaml describes them. */
export function fieldsOf(kind: EditableKind): Record<string, { type: string }> {
	const { schemas } = readOpenApi().components as { schemas: Record<string, OpenApiNode> };
	const { properties } = schemas[editableSchemas[kind]] as {
		properties: Record<string, { type: string }>;
	};
	return Object.fromEntries(
		Object.entries(properties).filter(([name]) => !setByService.test(name)),
	);
}

/** @throws TypeError naming each invalid field; its message is meant for people */
function checked(kind: EditableKind, data: unknown): RecordData {
	const properties = fieldsOf(kind);
	requireValid({ type: 'object', additionalProperties: false, properties }, data, 'body');
	return data as RecordData;
}

function requireRecord(store: RecordStore, kind: EditableKind, id: number): void {
	if (!store.get(kind, id)) throw new TypeError(`There is no ${kind} ${id}`);
}

/**
 * @returns the ID of the new record
 * @throws TypeError if a field is invalid
 */
export const addRecord = (store: RecordStore, kind: EditableKind, data: unknown): number =>
	store.insert(kind, checked(kind, data));

/** @throws TypeError if a field is invalid, or there is no such record */
export function replaceRecord(
	store: RecordStore,
	kind: EditableKind,
	id: number,
	data: unknown,
): void {
	requireRecord(store, kind, id);
	store.update(kind, id, checked(kind, data));
}

/** @throws TypeError if there is no such record */
export function removeRecord(store: RecordStore, kind: EditableKind, id: number): void {
	requireRecord(store, kind, id);
	store.remove(kind, id);
}
