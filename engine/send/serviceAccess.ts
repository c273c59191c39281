// What one run of a node sends its requests through.
import { isWriting, type Operation } from '../area';
import type { ServiceConventions } from '../form/serviceConventions';
import type { NodeContext } from '../n8n';
import type { Send } from './sendTypes';
import { RunQueue } from './runQueue';
import { RunStatistics } from './runStatistics';
import { openServiceClient, type ServiceUser } from './serviceClient';
import { sendWithRetries } from './sendWithRetries';

/** The service, as one run has access to it. */
export interface ServiceAccess {
	send: Send;
	/** Takes the credential's secrets out of a text. */
	redactSecrets: (text: string) => string;
	/** Resolves when no request of the run is waiting for a slot. */
	onQueueEmpty: () => Promise<void>;
	/** The service and the user whose records it gives. */
	user: ServiceUser;
	/** How many requests the account may have under way at once, as far as the process knows. */
	maxInflight: () => number;
	/** How the service does what the interface leaves open, as the credential says. */
	conventions: ServiceConventions;
}

/**
 * @param maxParallel most requests of the run under way at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @param statistics in which what the run asks of the service is counted
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openServiceAccess(
	ctx: NodeContext,
	operation: Operation,
	maxParallel: number,
	stop: AbortSignal,
	statistics = new RunStatistics(),
): Promise<ServiceAccess> {
	const { sendTry, redactSecrets, accountQueue, user, conventions } = await openServiceClient(
		ctx,
		() => statistics.signIns++,
	);
	const runQueue = new RunQueue(
		accountQueue,
		operation.request,
		isWriting(operation),
		maxParallel,
		stop,
	);
	const send = sendWithRetries(
		statistics.counting(sendTry),
		accountQueue,
		runQueue,
		stop,
		statistics,
	);
	return {
		send,
		redactSecrets,
		onQueueEmpty: () => runQueue.onEmpty(),
		user,
		conventions,
		maxInflight: () => accountQueue.maxInflight,
	};
}
