// Finds the file that an item uploads.
import type { IExecuteFunctions } from 'n8n-workflow';

import { shortened } from '../http/json';
import { findFile, type BinaryFile } from '../request/binaryFile';
import type { FieldProblem } from '../values/fields';
import type { Job } from './job';

/**
 * Finds the item's file. It must be there before anything is sent: when it is not, that is added to the problems.
 * @returns undefined when there is none
 */
export async function fileOf(
	ctx: IExecuteFunctions,
	{ itemIndex, values: { settings } }: Job,
	problems: FieldProblem[],
): Promise<BinaryFile | undefined> {
	const reference = settings.inputDataFieldName;
	const file = await findFile(ctx, reference, itemIndex);
	if (!('missing' in file)) return file;
	const rule = file.missing;
	const text = `is ${shortened(JSON.stringify(reference))}, but ${rule}`;
	problems.push({ label: 'Input Data Field Name', text, rule });
	return undefined;
}
