// What the kinds of operations share: an item ready to be sent, and how its output looks.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Send } from '../send/attempt';
import type { ItemValues } from '../values/item';

/** One input item, checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
}

/** What a kind needs of the world. */
export interface Service {
	ctx: IExecuteFunctions;
	send: Send;
	/** Pages of one list that may be asked for at once. */
	pagesAhead: number;
	/** Shows a hint beside the node's output. */
	hint: (message: string) => void;
}

/** The output of a 304: the record is unchanged since the version that was sent. */
export const unchanged = ({ path, settings }: ItemValues): IDataObject[] =>
	settings.notModified === 'nothing'
		? []
		: [{ notModified: true, ...path, ...(settings.etag && { etag: settings.etag }) }];
