// The line to the service.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Send } from './attempt';
import { openService } from './service';
import { withTries } from './tries';
import { CongestionWindow } from './window';

/** What a run sends through. */
export interface Line {
	send: Send;
	/** Takes the credential's secrets out of a text. */
	safe: (text: string) => string;
}

/**
 * @param width most requests under way at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openLine(
	ctx: IExecuteFunctions,
	width: number,
	stop: AbortSignal,
): Promise<Line> {
	const { sendOnce, safe } = await openService(ctx);
	return { send: withTries(sendOnce, new CongestionWindow(width), stop), safe };
}
