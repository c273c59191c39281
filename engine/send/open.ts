// Opens the way to the service for one run.
import { isWriting, type Operation } from '../area';
import type { Context } from '../n8n';
import type { Send } from './attempt';
import { Place } from './place';
import { openService, type Owner } from './service';
import { withTries } from './tries';

/** What a run sends through. */
export interface Way {
	send: Send;
	/** Takes the credential's secrets out of a text. */
	safe: (text: string) => string;
	/** Resolves when none of the run's requests waits for its turn. */
	served: () => Promise<void>;
	/** Whose records the service gives. */
	owner: Owner;
}

/**
 * @param width most requests of the run under way at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openWay(
	ctx: Context,
	operation: Operation,
	width: number,
	stop: AbortSignal,
): Promise<Way> {
	const { sendOnce, safe, line, owner } = await openService(ctx);
	const place = new Place(line, operation.request, isWriting(operation), width, stop);
	const send = withTries(sendOnce, line, place, stop);
	return { send, safe, served: () => place.served(), owner };
}
