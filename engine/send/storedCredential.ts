// Reads the credential from n8n's database.
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { accountSettings } from '../auth/accountSettings';
import { credentialType } from '../auth/signing';
import { Failure, signInFailure } from '../failure';
import type { NodeContext } from '../n8n';
import { withinCallTime, withRetries } from '../n8nDatabase';

/**
 * Whether n8n itself refuses the credential: none is selected, it does not exist, or the node may not use it. Such
 * errors have the `level` at which n8n reports them (BaseError and ApplicationError of n8n-workflow); errors of the
 * database and its driver have none. n8n 1.85 reports any database error as a credential that does not exist.
 */
const isRefusedByN8n = (error: Error): boolean => 'level' in error;

/**
 * Reads the credential as it is stored now, with retries if n8n's database fails.
 * @param stop ends the retries
 * @param itemIndex the item for the credential's expressions
 * @throws Failure if n8n does not provide the credential
 */
export async function readCredential(ctx: NodeContext, stop: AbortSignal, itemIndex = 0) {
	const read = () => ctx.getCredentials(credentialType, itemIndex);
	const reading = withRetries(read, stop, (error) => !isRefusedByN8n(error));
	return await withinCallTime(reading).catch((error: Error) => {
		if (isRefusedByN8n(error)) throw signInFailure(error.message);
		const message = `n8n could not read the credential from its database: ${error.message}`;
		throw signInFailure(message, 'n8nUnavailable');
	});
}

/** An index beyond any run's items, where expressions find no item. */
const indexWithoutItem = 2 ** 31 - 1;

const adviceOneAccount =
	'Nothing was sent, since a run uses one account for all rows. Use a node and a credential for each account, or run this node in a loop with the rows of one account at a time.';

/** Number of items to compare even if the credential seems not to depend on them. */
export const sampledItems = 10;

/**
 * Makes sure that the credential gives the same account to all items, since a run sends all of them with the first
 * item's. Each read costs n8n a query and a decryption, and n8n does not tell nodes whether a credential has
 * expressions. So it is read for each item only if reading it without an item fails or gives another value. Since an
 * expression such as `$input.item?.json?.station === 5 ? 'a' : 'b'` has the same value without one, a few items are
 * always compared, spread out from the first to the last.
 * @param credentials as read for the first item
 * @param itemIndexes the items to be sent
 * @throws Failure that names the setting that differs, or if n8n does not provide the credential
 */
export async function assertOneAccount(
	ctx: IExecuteFunctions,
	credentials: ICredentialDataDecryptedObject,
	itemIndexes: readonly number[],
	stop: AbortSignal,
): Promise<void> {
	const differingSetting = (read: ICredentialDataDecryptedObject) =>
		Object.entries(accountSettings).find(([name]) => read[name] !== credentials[name])?.[1];
	const { length } = itemIndexes;
	if (itemIndexes.every((itemIndex) => itemIndex === 0)) return;
	const withoutItem = await readCredential(ctx, stop, indexWithoutItem).catch(() => ({}));
	const last = (differingSetting(withoutItem) ? length : Math.min(length, sampledItems)) - 1;
	for (let n = 0; n <= last && !stop.aborted; n++) {
		const itemIndex = itemIndexes[Math.round((n / (last || 1)) * (length - 1))]!;
		if (itemIndex === 0) continue;
		const differing = differingSetting(await readCredential(ctx, stop, itemIndex));
		if (!differing) continue;
		const message = `'${differing.label}' in the credential is an expression with different values for row 1 and row ${itemIndex + 1}`;
		throw new Failure(message, 'notSent', { code: 'credentialUnusable', advice: adviceOneAccount });
	}
}
