// Reads the credential from n8n's database.
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { accountSettings } from '../auth/accountSettings';
import { credentialType } from '../auth/signing';
import { Failure, signInFailure } from '../failure';
import type { NodeContext } from '../n8n';
import { withinCallTime, withRetries } from '../n8nDatabase';

/**
 * Whether n8n itself refuses to give the credential: none is selected, it does not exist, or the node may not use it.
 * Such errors have the level at which n8n reports them (BaseError and ApplicationError of n8n-workflow); those of the
 * database and of its driver have none. n8n 1.85 says of any error of its database that the credential does not exist.
 */
const isRefusedByN8n = (error: Error): boolean => 'level' in error;

/**
 * Reads the credential as it is stored now, again if n8n's database fails.
 * @param stop ends the retries
 * @param itemIndex the item whose values the expressions in the credential are evaluated with
 * @throws Failure when n8n does not give the credential
 */
export async function readCredential(
	ctx: NodeContext,
	stop: AbortSignal,
	itemIndex = 0,
): Promise<ICredentialDataDecryptedObject> {
	const read = () => ctx.getCredentials(credentialType, itemIndex);
	const reading = withRetries(read, stop, (error) => !isRefusedByN8n(error));
	return await withinCallTime(reading).catch((error: Error) => {
		if (isRefusedByN8n(error)) throw signInFailure(error.message);
		const message = `n8n could not read the credential from its database: ${error.message}`;
		throw signInFailure(message, 'n8nUnavailable');
	});
}

/** The index of an item that no run has: an expression finds nothing of an item there. */
const indexWithoutItem = 2 ** 31 - 1;

/** The items that are compared although the credential seems not to depend on them. */
const sampledItems = 10;

/**
 * Makes sure that the credential gives all items the same account, since a run sends them all with the first item's.
 * Each reading costs n8n a query and a decryption, and n8n tells no node whether a credential has expressions. So it is
 * read for each item only where it has another value, or none, without an item. An expression such as
 * `$input.item?.json?.station === 5 ? 'a' : 'b'` has one: a few items are compared all the same, spread out, the first
 * and the last among them.
 * @param credentials as read for the first item
 * @param itemIndexes the items to be sent
 * @throws Failure that names the setting which differs, or when n8n does not give the credential
 */
export async function assertOneAccount(
	ctx: IExecuteFunctions,
	credentials: ICredentialDataDecryptedObject,
	itemIndexes: readonly number[],
	stop: AbortSignal,
): Promise<void> {
	const differingIn = (read: ICredentialDataDecryptedObject) =>
		Object.entries(accountSettings).find(([name]) => read[name] !== credentials[name])?.[1];
	const { length } = itemIndexes;
	if (itemIndexes.every((itemIndex) => itemIndex === 0)) return;
	const withoutItem = await readCredential(ctx, stop, indexWithoutItem).catch(() => ({}));
	const last = (differingIn(withoutItem) ? length : Math.min(length, sampledItems)) - 1;
	for (let n = 0; n <= last && !stop.aborted; n++) {
		const itemIndex = itemIndexes[Math.round((n / (last || 1)) * (length - 1))]!;
		if (itemIndex === 0) continue;
		const differing = differingIn(await readCredential(ctx, stop, itemIndex));
		if (!differing) continue;
		throw new Failure(
			`'${differing.label}' in the credential is an expression with different values for row 1 and row ${itemIndex + 1}`,
			'notSent',
			{
				code: 'credentialUnusable',
				advice:
					'Nothing was sent, since a run uses one account for all rows. Use a node and a credential for each account, or run this node in a loop with the rows of one account at a time.',
			},
		);
	}
}
