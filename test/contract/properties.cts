// Any valid record, generated from sandbox/openapi.yaml, passes through form and engine to the sandbox, which accepts
// it; any invalid one is refused before anything is sent, with every bad field named.
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Field, type ScalarField } from '../../engine/area';
import { parameterName } from '../../engine/form/labels';
import { layoutOf } from '../../engine/form/layout';
import { useSandbox, type SandboxInUse } from '../harness/useSandbox.cts';
import { serviceOperations, type Schema } from './openapi.cts';
import { entries, titled, type Entry } from './tables.cts';

/** Every run generates different records. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

let sandbox: SandboxInUse;

const scalars: Record<string, fc.Arbitrary<unknown>> = {
	// Above 2^53, digits may already be lost.
	number: fc
		.double({ noNaN: true, min: -(2 ** 53 - 1), max: 2 ** 53 - 1 })
		.map((value) => value + 0),
	boolean: fc.boolean(),
	// U+FFFD stands for a letter that was lost: it is refused.
	string: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\ufffd', '?')),
	'date-time': fc
		.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
		.map((date) => date.toISOString().replace(/\.\d+Z/, 'Z')),
	uuid: fc.uuid(),
	object: fc.dictionary(fc.constantFrom('a', 'b', 'state'), fc.oneof(fc.string(), fc.integer())),
};

/** Values of a schema; `required` names are always there. */
function valid(schema: Schema, required: readonly string[]): fc.Arbitrary<unknown> {
	if (schema.properties) {
		const fields = Object.entries(schema.properties).map(([name, field]) => [
			name,
			valid(field, required),
		]);
		const names = Object.keys(schema.properties);
		return fc
			.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
				requiredKeys: names.filter((name) => required.includes(name)),
			})
			.map((record): unknown => ({ ...record }));
	}
	// One entry: the form's lists have as many entries as a person added.
	if (schema.type === 'array')
		return fc.array(valid(schema.items!, required), { minLength: 1, maxLength: 1 });
	const type = String(schema.type);
	const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
	if (type === 'integer')
		return fc.integer({ min: schema.minimum ?? MIN_SAFE_INTEGER, max: MAX_SAFE_INTEGER });
	return scalars[schema.format ?? type] ?? scalars[type]!;
}

/** Values that no field of this type accepts. */
const wrong: Record<string, unknown[]> = {
	text: [{ a: 1 }, [1]],
	integer: ['abc', 1.5, true, {}],
	number: ['abc', true, {}],
	boolean: ['maybe', 2, {}],
	dateTime: ['soon', '2026-13-01T00:00:00Z', 7, {}],
	uuid: ['3f2504e0', 7],
	textList: [[{}], { a: 1 }],
	object: ['[1]', 'text', 7, [1]],
	objectList: ['{}', 'text', 7, [1]],
};

const withBody = entries.filter(
	({ operation }) => 'body' in operation && operation.body !== undefined,
);

/**
 * Replaces generated paths and choices: a path like the table's example, of another record; one of the values that the
 * form offers.
 */
function settledValue(field: Field, value: unknown, index: number): unknown {
	const { isPath, example, choices } = field as ScalarField;
	if (isPath) return (example as string).replace(/\d+/, String(101 + index));
	if (choices) return choices[index % choices.length]!.value;
	return field.type === 'objects'
		? (value as IDataObject[]).map((entry) => settled(entry, field.fields, index))
		: value;
}

/** A record whose periods end after they begin. */
const inOrder = (record: IDataObject, fields: readonly Field[]): IDataObject => {
	const ordered = { ...record };
	for (const { name, startField = '' } of fields as readonly ScalarField[]) {
		const [from, to] = [record[startField], record[name]] as string[];
		if (from === undefined || to === undefined) continue;
		const [first, last] = [from, to].map((time) => Date.parse(time)).sort((a, b) => a - b);
		ordered[startField] = new Date(first!).toISOString().replace('.000', '');
		ordered[name] = new Date(Math.max(last!, first! + 1000)).toISOString().replace('.000', '');
	}
	return ordered;
};

/** A record that also meets the service's rules that are in no schema. */
const settled = (record: IDataObject, fields: readonly Field[], index: number): IDataObject =>
	Object.fromEntries(
		fields
			.filter(({ name }) => name in record)
			.map((field) => [field.name, settledValue(field, record[field.name], index) as never]),
	);

/** An empty nested object is not sent at all. */
const isSent = (record: IDataObject): boolean => {
	const values = Object.values(record);
	const texts = values.map((value) => JSON.stringify(value));
	return texts.some((text) => text !== '[]') && !texts.includes('{}');
};

/** Whether list entries contain nothing that is left out, or that separates entries in a cell. */
const hasPlainEntries = (record: IDataObject): boolean =>
	Object.values(record)
		.filter(Array.isArray)
		.flat()
		.filter((entry) => typeof entry === 'string')
		.every((entry) => /^(?!\[)[^\s;/,|；、，](?:[^;/\n\t,|；、，]*[^\s;/,|；、，])?$/u.test(entry));

/** On the form, an empty text is no value. */
const hasEmptyText = (record: IDataObject): boolean => JSON.stringify(record).includes('""');

/** The names of required fields, including those in lists. */
const requiredIn = (fields: readonly Field[]): string[] =>
	fields.flatMap((field) => [
		...('required' in field && field.required ? [field.name] : []),
		...('fields' in field ? requiredIn(field.fields) : []),
	]);

/** The names of fields that refer to another record, and of the fields around them. */
function referencesIn(field: Field): string[] {
	const inner = 'fields' in field ? field.fields.flatMap(referencesIn) : [];
	const isReference = 'standsFor' in field && field.standsFor === 'record';
	return isReference || inner.length > 0 ? [field.name, ...inner] : [];
}

function recordsOf(entry: Entry, way: string, count: number): IDataObject[] {
	const { body } = serviceOperations.find(({ request }) => request === entry.operation.route)!;
	const schema = body!.type === 'array' ? body!.items! : body!;
	// An entry that a person added to a list on the form always exists, whatever the item contains.
	const lists = layoutOf(entry.operation)
		.groups.flatMap(({ fields }) => fields)
		.filter(({ type }) => type === 'objects');
	const fields = entry.operation.body!;
	const always = way === 'form' ? lists.map(({ name }) => name) : [];
	const names = requiredIn(fields);
	// The form has an expression for each field, and a reference that gives nothing is refused.
	const references = way === 'form' ? fields.flatMap(referencesIn) : [];
	const isNamed = (record: IDataObject) =>
		names.every((name) => typeof record[name] !== 'string' || record[name].trim() !== '');
	const arbitrary = valid(schema, [...always, ...names, ...references])
		.map((record) => record as IDataObject)
		.filter((record) => isNamed(record) && isSent(record) && hasPlainEntries(record))
		.filter((record) => way !== 'form' || !hasEmptyText(record));
	return fc
		.sample(arbitrary, { numRuns: count, seed })
		.map((record, index) => settled(inOrder(record, fields), fields, index));
}

/** Expressions that put the item's record into the fields of the form. */
function formOf({ operation }: Entry): INodeParameters {
	const parameters: Record<string, INodeParameters | string> = {};
	for (const { destination, bodyObject, collection, fields } of layoutOf(operation).groups) {
		if (destination !== 'body') continue;
		const group: Record<string, INodeParameters | string> = {};
		for (const field of fields) {
			const value = `$json.record${bodyObject ? `?.${bodyObject}` : ''}?.["${field.name}"]`;
			group[parameterName(field.name)] =
				field.type === 'objects'
					? {
							entries: [
								Object.fromEntries(
									field.fields.map(({ name }) => [name, `={{ ${value}?.[0]?.${name} }}`]),
								),
							],
						}
					: field.type === 'textList'
						? ([`={{ ${value} }}`] as never)
						: `={{ ${value} }}`;
		}
		if (collection) parameters[collection.name] = group;
		else Object.assign(parameters, group);
	}
	return parameters;
}

const idsOf = ({ operation }: Entry) =>
	Object.fromEntries((operation.ids ?? []).map(({ name }) => [name, 101]));

const ways: Array<
	[
		string,
		(entry: Entry) => INodeParameters,
		(record: IDataObject, ids: IDataObject) => IDataObject,
	]
> = [
	['form', (entry) => ({ ...idsOf(entry), ...formOf(entry) }), (record) => ({ record })],
	['inputItem', () => ({}), (record, ids) => ({ ...ids, ...record })],
	['json', (entry) => ({ ...idsOf(entry), json: '={{ $json.record }}' }), (record) => ({ record })],
];

const send = async (entry: Entry, way: (typeof ways)[number], records: IDataObject[]) => {
	const [specifyFields, parameters, item] = way;
	return await sandbox.run({
		node: entry.node,
		parameters: {
			resource: entry.resource,
			operation: entry.operation.name,
			specifyFields,
			...parameters(entry),
		},
		items: records.map((record) => ({ json: item(record, idsOf(entry)) })),
		nodeSettings: { onError: 'continueRegularOutput' },
		settings: { timezone: 'UTC' },
	});
};
const requests = () => sandbox.requests();

/** A record as text that does not depend on the order of its names. */
const sorted = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);

/** @param count how many records of each operation are sent in each way */
export function testProperties(count: number): void {
	sandbox = useSandbox();
	beforeAll(() => console.log(`seed ${seed}; SEED=${seed} repeats the run`));

	describe.each(titled(withBody))('%s', (_, entry) => {
		test.each(ways)('valid records, by %s', async (...way) => {
			const records = recordsOf(entry, way[0], count);
			// If the IDs name the changed record, no two rows of a run may share them.
			const { kind, ids } = entry.operation;
			const runs = kind === 'empty' && ids ? records.map((record) => [record]) : [records];
			const isTaken = ({ error }: IDataObject) => (error as IDataObject)?.httpStatus === 409;
			for (const run of runs) {
				const { json, error } = await send(entry, way, run);
				expect(error).toBeUndefined();
				expect(json.filter((output) => output.error && !isTaken(output))).toEqual([]);
			}
			const sent = requests().flatMap(({ body }) => body as IDataObject[]);
			expect(sent.map(sorted).sort()).toEqual(records.map(sorted).sort());
		});

		test.each(ways)('invalid records, by %s', async (...way) => {
			const fields = layoutOf(entry.operation)
				.groups.filter(({ destination }) => destination === 'body')
				.flatMap(({ bodyObject, collection, fields: inner }) =>
					inner.flatMap((field) =>
						field.type === 'objects'
							? []
							: [{ bodyObject, group: bodyObject && collection?.label, field }],
					),
				);
			const random = fc.sample(fc.tuple(fc.subarray(fields, { minLength: 1 }), fc.nat()), {
				numRuns: count,
				seed,
			});
			const given = recordsOf(entry, way[0], count);
			const cases = random.map(([bad, pick], index) => {
				const record = structuredClone(given[index % given.length]!);
				for (const { bodyObject, field } of bad) {
					const values = wrong[field.type]!;
					const target = bodyObject ? ((record[bodyObject] ??= {}) as IDataObject) : record;
					target[field.name] = values[pick % values.length] as never;
				}
				const labels = bad.map(
					({ group, field }) => `'${group ? `${group} › ` : ''}${field.label}'`,
				);
				return { record, labels };
			});
			const records = cases.map(({ record }) => record);
			const { json, error } = await send(entry, way, records);
			expect(error).toBeUndefined();
			expect(json).toHaveLength(cases.length);
			json.forEach(({ message }, index) => {
				const named = [...String(message as string).matchAll(/'[^']+'(?= (is|needs|hold))/g)].map(
					([label]) => label,
				);
				expect([cases[index]!.record, named.sort()]).toEqual([
					cases[index]!.record,
					cases[index]!.labels.sort(),
				]);
			});
			expect(requests()).toEqual([]);
		});
	});
}
