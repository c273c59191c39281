// The settings of the nodes' forms as tables: all of them, and those that stand for what the service does not state.
import type { Operation } from '../../engine/area.ts';
import type { DialectName } from '../../sandbox/dialects.mts';
import { choicesOf, notesOf, placedFields, type PlacedField } from './formFields.mts';
import { code, label, table } from './markdown.mts';
import { isWriting, type DocumentedNode } from './package.mts';
import type { ScreenTexts } from './screenTexts.mts';

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

/** What the service does not state, the settings that answer it, the dialects that answer otherwise, and notes. */
const openQuestions: ReadonlyArray<
	[question: string, settings: string[], dialects: DialectName[], notes?: string]
> = [
	[
		'How the access token is written in the `Authorization` header',
		['Authorization Header'],
		['authorizationHeader'],
		'In the credential.',
	],
	['The name of the multipart part that carries a file', ['Multipart Part Name'], []],
	["Which values a bulk patch's `op` may have", ['Patch Operation'], []],
	['How many entries a bulk request may have', ['Batch Size'], []],
	[
		'How many rows a page of a list may have',
		['Page Size'],
		['largestPage', 'largerPages', 'totalRows'],
		'In the credential. When fewer rows come than were asked for, the next request continues after them.',
	],
	['From where `offset` counts', ['Offset Counts From'], ['offset'], 'In the credential.'],
	[
		'How a filter is written, beyond its operators',
		['Filter Syntax', 'Numbers in Filters'],
		['filter', 'filterNumbers'],
		'In the credential, for [conditions](lists.md#filters); a filter text is sent as it is.',
	],
	[
		'Which date formats the service reads',
		['Changes Since Format'],
		['changesSince'],
		'In the credential, for dates and for text in ISO 8601 with an offset; other text is sent as it is.',
	],
	[
		'Whether the service reliably says what changed',
		['Detect By'],
		[],
		'A setting of [the trigger](trigger.md).',
	],
	["How far the service's clock may be behind", ['Overlap (Minutes)'], [], 'Of the trigger.'],
	[
		'How archived rows are asked for',
		['Archived Values'],
		['showArchived'],
		'In the credential, for true and false; other text is sent as it is.',
	],
	['What an ETag is compared with', [], ['etag'], 'None is sent unless you add _ETag_.'],
	[
		'How many requests the service can handle at once',
		['Parallel Requests'],
		[],
		'This is the largest number; how many are under way is [found out](reliability.md#how-many-requests-at-once).',
	],
	[
		'How long to wait for a service that is too busy or cannot be reached',
		['Max Tries', 'Max Wait (Seconds)', 'Timeout (Seconds)'],
		['rate', 'quota'],
	],
];

/** The defaults are those of the forms. */
export const openQuestionsTable = (screen: ScreenTexts): string =>
	table(
		['What is not stated', 'Setting', 'Default', 'Dialects of the sandbox', 'Notes'],
		openQuestions.map(([question, settings, dialects, notes = '']) => [
			question,
			settings.map(label).join(', '),
			settings.map((name) => code(screen.defaultOf(name))).join(', '),
			dialects.map(code).join(', '),
			notes,
		]),
	);
