// What the kinds of operations share: an item ready to be sent, and how its output looks.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Send } from '../http/send';
import type { ItemValues } from '../values';

/** One input item, checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
}

/** What a kind needs of the world. */
export interface Service {
	ctx: IExecuteFunctions;
	send: Send;
}

/** The output item for a 304: the record is unchanged since the version that was sent. */
export const unchanged: IDataObject = { notModified: true };
