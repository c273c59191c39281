// What the kinds of operations share: an item ready to be sent, and how its output looks.
import type { IDataObject } from 'n8n-workflow';

import { unexpectedNotModified } from '../answer/failures';
import type { BinaryFile } from '../request/file';
import type { Answer, Send } from '../send/sendTypes';
import type { ItemValues } from '../values/item';

/** One input item, checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
	/** Of an upload. */
	file?: BinaryFile;
}

/** What a kind needs of the world. */
export interface JobServices {
	send: Send;
	/** Pages of one list that may be asked for at once. */
	pagesAhead: number;
	/** Shows a hint beside the node's output. */
	hint: (message: string) => void;
}

/** A write's result, with what the setting 'Include' adds; what the service says of a field counts. */
export const withIncluded = (result: IDataObject, { includedFields }: ItemValues): IDataObject => ({
	...result,
	...includedFields,
	...result,
});

/**
 * What an unchanged record gives, by the setting 'If Not Modified'.
 * @param of what names it
 */
export const notModifiedMarker = ({ settings }: ItemValues, of: IDataObject): IDataObject[] =>
	settings.notModified === 'nothing'
		? []
		: [{ notModified: true, ...of, ...(settings.etag && { etag: settings.etag }) }];

/**
 * The output of a 304: the record is unchanged since the version that was sent.
 * @throws Failure when none was sent
 */
export function notModifiedResults(answer: Answer, values: ItemValues): IDataObject[] {
	if (!values.settings.etag) throw unexpectedNotModified(answer);
	return notModifiedMarker(values, values.path);
}
