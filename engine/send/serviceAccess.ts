// What one run of a node sends its requests through.
import { isWriting, type Operation } from '../area';
import { accountOf } from '../auth/account';
import { redact } from '../auth/redact';
import { conventionsOf, type ServiceConventions } from '../form/serviceConventions';
import { maxRunBytes } from '../http/bodyText';
import type { NodeContext } from '../n8n';
import { accountQueueOf, RunQueue } from './accountQueue';
import { RunStatistics } from './runStatistics';
import { readCredentials, RunToken } from './runToken';
import type { Send } from './sendTypes';
import { sendWithRetries } from './sendWithRetries';
import { ServiceTry } from './serviceTry';

/** The service, as one run has access to it. */
export interface ServiceAccess {
	send: Send;
	/** Takes the credential's secrets out of a text. */
	redactSecrets: (text: string) => string;
	/** Resolves when no request of the run is waiting for a slot. */
	onQueueEmpty: () => Promise<void>;
	/** The service and the user who signs in to it: they decide which records are given. */
	user: { baseUrl: string; username: string };
	/** How the service does what the interface leaves open, as the credential says. */
	conventions: ServiceConventions;
}

/**
 * Opens the service for one run or poll of a node. The credential is read once, and a renewed token is used by all
 * later requests of the run.
 * @param maxParallel most requests of the run under way at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @param statistics in which what the run asks of the service is counted
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed; Failure when
 * another of its settings has a value that the form does not offer
 */
export async function openServiceAccess(
	ctx: NodeContext,
	operation: Operation,
	maxParallel: number,
	stop: AbortSignal,
	statistics = new RunStatistics(),
): Promise<ServiceAccess> {
	const credentials = await readCredentials(ctx);
	const account = accountOf(credentials);
	const { baseUrl, username } = account.settings;
	const redactSecrets = (text: string): string => redact(text, credentials, account.tokens.secrets);
	const runToken = new RunToken(ctx, credentials, account, () => statistics.signIns++);
	const budget = { bytesLeft: maxRunBytes };
	const service = { ctx, credentials, baseUrl, account, runToken, budget, redactSecrets };
	const queue = accountQueueOf(account);
	const runQueue = new RunQueue(queue, operation.request, isWriting(operation), maxParallel, stop);
	return {
		send: sendWithRetries(
			async (request, requestStop) => await new ServiceTry(service, request, requestStop).send(),
			runQueue,
			statistics,
		),
		redactSecrets,
		onQueueEmpty: () => runQueue.onEmpty(),
		user: { baseUrl, username },
		conventions: conventionsOf(credentials),
	};
}
