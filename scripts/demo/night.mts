// The package's main example without n8n's own nodes, which need a full n8n.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import {
	manualTriggerType,
	workflowOf,
	type WorkflowFile,
} from '../../n8n-in-process/workflow.mts';

export const example = 'examples/failed-rows-to-a-table.json';
export const sender = 'Create Shift Schedules';

const { name, nodes, settings } = JSON.parse(
	readFileSync(join(import.meta.dirname, '..', '..', example), 'utf8'),
) as WorkflowFile;
const node = (wanted: string) => nodes.find((given) => given.name === wanted)!;
const source = node('Rows of the Night');

/** @returns the rows of the example's source */
export function rowsOfTheNight(): IDataObject[] {
	const code = source.parameters.jsCode as string;
	const items: unknown = runInNewContext(`(() => { ${code} })()`);
	// Objects of another context have other prototypes, so n8n would not accept them as plain objects.
	const plain = JSON.parse(JSON.stringify(items)) as Array<{ json: IDataObject }>;
	return plain.map(({ json }) => json);
}

/** The example's sending node, behind pinned rows. */
export const nightOf = (rows: IDataObject[]): WorkflowFile =>
	workflowOf(name, [{ name: source.name, type: manualTriggerType }, node(sender)], {
		pinData: { [source.name]: rows.map((json) => ({ json })) },
		settings,
	});
