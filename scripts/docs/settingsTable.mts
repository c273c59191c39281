// The settings on the nodes' forms, as one table.
import type { Operation } from '../../engine/area.ts';
import { choicesOf, notesOf, placedFields, type PlacedField } from './formFields.mts';
import { label, table } from './markdown.mts';
import { isWriting, type DocumentedNode } from './package.mts';

/**
 * What a setting starts with, in the words of the form.
 * @throws Error when something must be chosen, and the table does not say what is
 */
function startOf({ field, label: where }: PlacedField): string {
	const start = 'default' in field ? field.default : undefined;
	const chosen = choicesOf(field).find(({ value }) => value === start);
	if (chosen) return label(chosen.name);
	if (typeof start === 'boolean') return start ? 'on' : 'off';
	if (start !== undefined) return String(start);
	const isAdded = where.includes(' › ');
	if (field.type === 'boolean' || (field.type === 'choice' && !isAdded)) {
		throw new Error(`The setting '${where}' has no default`);
	}
	return 'empty';
}

/** What operations can have in common; the first that is true of just these is named. */
const groups: Array<[name: string, has: (operation: Operation) => boolean]> = [
	['all', () => true],
	['all that write', isWriting],
	['all that send a record', (operation) => 'body' in operation && Boolean(operation.body)],
	['lists', ({ kind }) => kind === 'list'],
	['bulk patches', ({ kind }) => kind === 'bulk'],
	['uploads', ({ kind }) => kind === 'upload'],
];

function whoHas(having: ReadonlySet<Operation>, all: readonly Operation[]): string {
	const group = groups.find(([, has]) => all.every((one) => has(one) === having.has(one)));
	return group?.[0] ?? `${having.size} of ${all.length}`;
}

/** One setting for all forms that have it, with the choices that any of them offers. */
function merged(one: PlacedField, other: PlacedField): PlacedField {
	const choices = [...choicesOf(one.field), ...choicesOf(other.field)];
	const byValue = new Map(choices.map((choice) => [choice.value, choice]));
	return choices.length === 0
		? one
		: { ...one, field: { ...one.field, choices: [...byValue.values()] } as PlacedField['field'] };
}

/** All that is on the nodes' forms and is no field of the interface: those under Options last. */
export function settingsTable(nodes: readonly DocumentedNode[]): string {
	const operations = nodes.flatMap((node) => node.operations.map(({ operation }) => operation));
	const settings = new Map<string, { setting: PlacedField; having: Set<Operation> }>();
	for (const operation of operations) {
		for (const setting of placedFields(operation, (where) => where === 'settings')) {
			const key = [setting.label, startOf(setting), setting.field.description].join();
			const known = settings.get(key) ?? { setting, having: new Set() };
			settings.set(key, { ...known, setting: merged(known.setting, setting) });
			known.having.add(operation);
		}
	}
	const rows = [...settings.values()].map(({ setting, having }) => [
		label(setting.label),
		startOf(setting),
		notesOf(setting.field),
		whoHas(having, operations),
	]);
	const isOption = ([where = '']: string[]) => where.includes(' › ');
	return table(
		['On the form', 'Default', 'What it does', 'Nodes'],
		rows.sort((one, other) => Number(isOption(one)) - Number(isOption(other))),
	);
}
