// The settings that several nodes have, as one table in docs/options.md: the nodes' pages link to it.
import type { Choice, Operation } from '../../engine/area.ts';
import { settingRow, settingsOf, type PlacedField } from './formTables.mts';
import { label, table } from './markdown.mts';
import { isWriting } from './package.mts';

/** A setting of the same label, default and description on several forms. */
interface SharedSetting {
	label: string;
	row: string[];
	operations: Operation[];
}

/** One setting for all forms that have it, with the choices that any of them offers. */
function merged(settings: readonly PlacedField[]): PlacedField {
	const [first] = settings as [PlacedField];
	const choices = new Map<string, Choice>();
	for (const { field } of settings) {
		if (!('choices' in field)) continue;
		for (const choice of field.choices ?? []) choices.set(choice.value, choice);
	}
	if (choices.size === 0) return first;
	return {
		...first,
		field: { ...first.field, choices: [...choices.values()] } as PlacedField['field'],
	};
}

const isOption = ({ label }: SharedSetting): boolean => label.includes(' › ');

/** @returns first those of the form itself, in its order, then those under Options, by the alphabet */
export function sharedSettings(operations: readonly Operation[]): SharedSetting[] {
	const found = new Map<string, Array<{ operation: Operation; setting: PlacedField }>>();
	for (const operation of operations) {
		for (const setting of settingsOf(operation)) {
			const { description, ...field } = setting.field;
			const key = JSON.stringify([setting.label, description, 'default' in field && field.default]);
			found.set(key, [...(found.get(key) ?? []), { operation, setting }]);
		}
	}
	const shared = [...found.values()]
		.filter((uses) => uses.length > 1)
		.map((uses) => ({
			label: uses[0]!.setting.label,
			row: settingRow(merged(uses.map(({ setting }) => setting))),
			operations: uses.map(({ operation }) => operation),
		}));
	const options = shared.filter(isOption);
	return [
		...shared.filter((setting) => !isOption(setting)),
		...options.sort((one, other) => one.label.localeCompare(other.label)),
	];
}

/** Whether it is about a record that is there: one that is made new has no version. */
const hasVersion = ({ request, ids = [] }: Operation): boolean =>
	!request.startsWith('POST ') || ids.length > 0;

/** What operations can have in common; the first that is true of just these is named. */
const groups: Array<[name: string, has: (operation: Operation) => boolean]> = [
	['All nodes', () => true],
	['Nodes that write', isWriting],
	['Nodes that send a record', (operation) => 'body' in operation && Boolean(operation.body)],
	['Lists', ({ kind }) => kind === 'list'],
	[
		'Lists that are read in pages',
		(operation) => operation.kind === 'list' && Boolean(operation.paged),
	],
	['Bulk patches', ({ kind }) => kind === 'bulk'],
	[
		'Nodes whose requests may be answered with 304 (not modified)',
		(operation) => operation.headerProfile === 'A' && hasVersion(operation),
	],
	[
		'Nodes that write and have an ETag',
		(operation) => isWriting(operation) && Boolean(operation.etag) && hasVersion(operation),
	],
	[
		'Nodes that read and have an ETag',
		(operation) => !isWriting(operation) && Boolean(operation.etag),
	],
];

/** @throws Error when no group has exactly the operations that show the setting */
function groupOf(setting: SharedSetting, operations: readonly Operation[]): string {
	const group = groups.find(([, has]) =>
		operations.every((operation) => has(operation) === setting.operations.includes(operation)),
	);
	if (!group)
		throw new Error(`No group in sharedSettings.mts has just the nodes with '${setting.label}'`);
	return group[0];
}

/** @returns Markdown */
export const sharedSettingsTable = (operations: readonly Operation[]): string =>
	table(
		['On the form', 'Default', 'What it does', 'Nodes that have it'],
		sharedSettings(operations).map((setting) => [...setting.row, groupOf(setting, operations)]),
	);

const list = (labels: readonly string[]): string => labels.map(label).join(', ');

/**
 * The settings of an operation on its page: shared ones are only named, its own are a table.
 * @param operations of all nodes
 * @returns paragraphs of Markdown
 */
export function settingsSection(operation: Operation, operations: readonly Operation[]): string[] {
	const shared = sharedSettings(operations).filter((one) => one.operations.includes(operation));
	const options = shared.filter(isOption).map(({ label }) => label.split(' › ')[1]!);
	const onForm = shared.filter((setting) => !isOption(setting)).map(({ label }) => label);
	const own = settingsOf(operation)
		.map(settingRow)
		.filter((row) => !shared.some((setting) => setting.row.join() === row.join()));
	return [
		`${onForm.length > 0 ? `${list(onForm)}; under` : 'Under'} ${label('Options')}: ${list(options)}. [What they do](../options.md).`,
		...(own.length > 0
			? ['What is particular to this node:', table(['On the form', 'Default', 'What it does'], own)]
			: []),
	];
}
