// What a node says of a record, in the item it gives for it.
import type { IDataObject } from 'n8n-workflow';

/** Made, not made, or nothing that helps. */
export type Claim = 'made' | 'not made' | 'open';

/** Statuses that say no; every other failure leaves open what became of the record. */
const saysNo = new Set([400, 401, 403, 404, 409, 429]);

/** @param item an output item of this package's nodes, or of the HTTP Request node */
export function claimOf({ json }: { json: IDataObject }): Claim {
	if (json.error === undefined) return 'made';
	const error = json.error as IDataObject;
	if (error.outcome !== undefined) {
		if (error.outcome === 'done') return 'made';
		return error.outcome === 'unknown' ? 'open' : 'not made';
	}
	return saysNo.has(Number(error.status ?? error.httpCode)) ? 'not made' : 'open';
}
