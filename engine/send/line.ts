// The line to the service: what a run sends through.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Send } from './attempt';
import { openService } from './service';
import { withTries } from './tries';
import { CongestionWindow } from './window';

/**
 * @param width most requests under way at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export const openLine = async (
	ctx: IExecuteFunctions,
	width: number,
	stop: AbortSignal,
): Promise<Send> => withTries(await openService(ctx), new CongestionWindow(width), stop);
