// The output of the demo.
import type { INodeExecutionData } from 'n8n-workflow';

import type { WorkflowRun } from '../../n8n-in-process/workflow.mts';
import type { RecordStore } from '../../sandbox/recordStore.mts';

const nameWidth = 10;

/** The lines of a text, each indented by this number of spaces. */
const wrapped = (text: string, indent: number): string =>
	text.replace(/(.{1,84})(?:\s+|$)/g, `\n${' '.repeat(indent)}$1`);

/** The node's output for a row. */
interface Outcome {
	name: string;
	shiftScheduleID?: number;
	alreadySent?: boolean;
	message?: string;
	error?: { outcome: string; advice?: string };
}

/** The outcome of a row, and its messages. */
function fateOf({ shiftScheduleID, alreadySent, error, message = '' }: Outcome): string {
	if (shiftScheduleID !== undefined) return `sent: record ${shiftScheduleID}`;
	if (alreadySent) return 'sent by an earlier run: not sent again';
	const { outcome, advice = '' } = error!;
	// The message may contain the advice already.
	const texts = message.includes(advice) ? [message] : [message, advice];
	return [`${outcome}: to the table`, ...texts.map((text) => wrapped(text, nameWidth + 2))].join(
		'',
	);
}

const rowOf = ({ pairedItem }: INodeExecutionData): number => (pairedItem as { item: number }).item;

/** Prints each row of a night, in the order of the source, and the node's summary. */
export function showNight({ output, task }: Omit<WorkflowRun, 'run'>, node: string): void {
	const items = output(node).flat();
	for (const { json } of items.sort((one, other) => rowOf(one) - rowOf(other))) {
		const row = json as unknown as Outcome;
		console.log(`  ${row.name.padEnd(nameWidth)}${fateOf(row)}`);
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
