// What all kinds of operations share: an input item that is ready to be sent, and the parts of the output that do
// not depend on the kind.
import type { IDataObject } from 'n8n-workflow';

import { unexpectedNotModified } from '../answer/answerFailures';
import type { ServiceConventions } from '../form/serviceConventions';
import type { BinaryFile } from '../request/binaryFile';
import type { Answer, Send } from '../send/sendTypes';
import type { ItemValues } from '../values/item';

/** One input item whose values were read and checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
	/** The file of an upload; undefined for all other kinds. */
	file?: BinaryFile;
}

/** What an operation needs to do its jobs. */
export interface JobServices {
	send: Send;
	/** The most pages of one list that may be requested at once, 1 or more. */
	maxParallelPages: number;
	/** Shows a hint beside the node's output. */
	hint: (message: string) => void;
	/** How the service does what the interface leaves open. */
	conventions: ServiceConventions;
}

/**
 * The result of a write, with the fields that the setting 'Include' adds. Where the service's answer has a field of
 * the same name, the answer's value counts.
 */
export const withIncluded = (result: IDataObject, { includedFields }: ItemValues): IDataObject => ({
	// Spread first too, so that the answer's fields stand before the added ones.
	...result,
	...includedFields,
	...result,
});

/**
 * The output for a record that was not modified: a marker.
 * @param identifiers the IDs or the path by which the marker names the record
 */
export const notModifiedMarker = (
	{ settings }: ItemValues,
	identifiers: IDataObject,
): IDataObject[] => [
	{ notModified: true, ...identifiers, ...(settings.etag && { etag: settings.etag }) },
];

/**
 * The output for an answer with status 304: the record was not modified since the version whose ETag was sent.
 * @throws Failure when no ETag was sent
 */
export function notModifiedResults(answer: Answer, values: ItemValues): IDataObject[] {
	if (!values.settings.etag) throw unexpectedNotModified(answer);
	return notModifiedMarker(values, values.path);
}
