// What a node reports about a record, in the output item that it gives for it.
import type { IDataObject } from 'n8n-workflow';

/** In doubt: the item does not tell whether the record was created. */
export type ReportedOutcome = 'created' | 'not created' | 'in doubt';

/** Statuses with which the service refuses a request. After every other failure the record may have been created. */
const refusals = new Set([400, 401, 403, 404, 409, 429]);

/** @param item an output item of this package's nodes, or of the HTTP Request node */
export function reportedOutcome({ json }: { json: IDataObject }): ReportedOutcome {
	if (json.error === undefined) return 'created';
	const error = json.error as IDataObject;
	if (error.outcome !== undefined) {
		if (error.outcome === 'done') return 'created';
		return error.outcome === 'unknown' ? 'in doubt' : 'not created';
	}
	return refusals.has(Number(error.status ?? error.httpCode)) ? 'not created' : 'in doubt';
}
