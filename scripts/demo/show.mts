// The output of the demo.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { WorkflowRun } from '../../n8n-in-process/workflow.mts';
import type { RecordStore } from '../../sandbox/recordStore.mts';

const nameWidth = 10;

/** Lines of a text, each after so many spaces. */
const wrapped = (text: string, indent: number): string =>
	text.replace(/(.{1,84})(?:\s+|$)/g, `\n${' '.repeat(indent)}$1`);

/** What happened to a row, and its messages. */
function fateOf({ shiftScheduleID, alreadySent, error, message }: IDataObject): string {
	if (shiftScheduleID !== undefined) return `sent: record ${String(shiftScheduleID)}`;
	if (alreadySent === true) return 'sent by an earlier run: not sent again';
	const { outcome, advice } = error as { outcome: string; advice?: string };
	const texts = [String(message), advice ?? ''];
	// The message may say the advice already.
	const told = texts[0]!.includes(texts[1]!) ? texts.slice(0, 1) : texts;
	return [`${outcome}: to the table`, ...told.map((text) => wrapped(text, nameWidth + 2))].join('');
}

const rowOf = ({ pairedItem }: INodeExecutionData): number => (pairedItem as { item: number }).item;

/** Each row of a night, in the order of its source, and the node's own summary. */
export function showNight({ output, task }: Omit<WorkflowRun, 'run'>, node: string): void {
	const items = output(node).flat();
	for (const { json } of items.sort((one, other) => rowOf(one) - rowOf(other))) {
		console.log(`  ${String(json.name).padEnd(nameWidth)}${fateOf(json)}`);
	}
	console.log(wrapped(String(task(node)?.hints?.at(-1)?.message), 2));
}

/** The shift schedules that the sandbox holds. */
export function showSchedules(store: RecordStore): void {
	const { rows } = store.list('shiftSchedule');
	console.log(`\nThe sandbox now holds ${rows.length} shift schedules:\n`);
	for (const { id, data } of rows) {
		console.log(`  record ${id}  ${String(data.name)}, ${String(data.fromDate)}`);
	}
}
