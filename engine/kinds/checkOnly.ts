// 'Check Only': items are read and checked as usual, but not sent: the output shows the request for each.
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import { accountOf } from '../auth/account';
import type { Ledger } from '../items/ledger';
import { addressOf } from '../request/request';
import { isEmpty } from '../http/json';
import { readCredential } from '../send/storedCredential';
import { outputOf, type Job } from './job';

/** The request that would be sent for one item; for a bulk patch, with the item's part of the body. */
export function requestOf(operation: Operation, { values, file }: Job): IDataObject {
	const { path, body, settings } = values;
	const address = addressOf(operation, path);
	if (!file) return { ...address, ...(body && { body }) };
	const { name, type, size } = file;
	const { partName, additionalFields: fields } = settings;
	const others = isEmpty(fields) ? {} : { fields };
	return { ...address, file: { partName, name, type, size }, ...others };
}

/**
 * Puts the output of items that are only checked into the ledger.
 * @returns the jobs of these items, and the jobs to send
 */
export async function checkOnly(jobs: readonly Job[], operation: Operation, ledger: Ledger) {
	const isChecked = ({ values }: Job) => values.settings.checkOnly;
	const checked = jobs.filter(isChecked);
	// If the credential cannot be used, the reason takes the place of the account.
	if (checked.length > 0)
		ledger.account = await readCredential(ledger.ctx, ledger.stop)
			.then((credentials) => accountOf(credentials).label)
			.catch(({ message }: Error) => message);
	for (const job of checked) {
		const wouldSend = { account: ledger.account, ...requestOf(operation, job) };
		ledger.items[job.itemIndex]!.checked = outputOf(job.values, { wouldSend });
	}
	return { checked, toSend: jobs.filter((job) => !isChecked(job)) };
}
