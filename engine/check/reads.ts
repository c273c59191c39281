// The requests of one check: reads only.
import type { IExecuteFunctions } from 'n8n-workflow';

import { dataOf } from '../answer/answerData';
import { readFailure, type Failure } from '../failure';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../area';
import { asFailure } from '../items/errors';
import { pageContentOf, type Page } from '../kinds/list/page';
import { buildRequest } from '../request/request';
import { SendingRun } from '../send/sendingRun';
import { openServiceAccess, ServiceAccess } from '../send/serviceAccess';

/** Of one request: with some twenty of them, a person waits for the check. */
const limits = { timeout: 20, maxTries: 3, maxWait: 120 };
const settings = { ...defaultSettings, ...limits } as unknown as Settings;

/** Rows that the first reading of a list asks for. */
const firstRows = 10;

/** A page that was asked for, and what came. */
export interface CheckedPage extends Page {
	list: WatchedList;
	/** Why there are no rows. */
	failure?: Failure;
}

/** The service, as the credential describes it, and what the check knows of its lists. */
export type CheckSession = Awaited<ReturnType<typeof openSession>>;

/**
 * @param lists that the check reads; one at least
 * @throws what openServiceAccess() throws when the credential cannot be used
 */
export async function openSession(ctx: IExecuteFunctions, lists: readonly WatchedList[]) {
	const stop = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const run = new SendingRun(lists[0]!.operation, stop);
	const { credentials, pageSize } = await openServiceAccess(ctx, run);
	/** Sends one read. That there are no rows, for whatever reason, is no error. */
	const read = async (list: WatchedList, query: Record<string, number>): Promise<CheckedPage> => {
		const { operation } = list;
		// Each is a run of its own, since one whose key was refused sends no more. A key belongs to a product, so another
		// list may take it.
		const access = new ServiceAccess(ctx, credentials, new SendingRun(operation, stop));
		try {
			const content = pageContentOf(operation, settings);
			const request = buildRequest(operation, { path: {}, query, settings }, content);
			return { ...(dataOf(await access.send(request), () => {}) as Page), list };
		} catch (error) {
			const failure = asFailure(error, 'refused').mapTexts(access.session.redact);
			return { rows: [], list, failure };
		}
	};
	/** The beginning of each list, once the service accepts the token as it is written now. */
	const firstPages: readonly CheckedPage[] = [];
	return { lists, credentials, pageSize, read, firstPages };
}

/** Reads the beginning of each list. */
export async function readFirstPages({ lists, read }: CheckSession): Promise<CheckedPage[]> {
	const firstPages: CheckedPage[] = [];
	for (const list of lists) {
		const page = await read(list, list.operation.paged ? { limit: firstRows } : {});
		firstPages.push(page);
		// What kept a request from being answered would keep the others from it, too, and so would a refused token.
		const { code, details } = page.failure ?? {};
		if (code === 'tokenRefused' || (details && details.status === undefined)) break;
	}
	return firstPages;
}

/**
 * The first rows of the list by which all that concerns lists is found out: the first that is read in pages and has
 * rows.
 * @throws Failure when there is none
 */
export function mainSample({ firstPages }: CheckSession): CheckedPage {
	const sample = firstPages.find(({ list, rows }) => list.operation.paged && rows.length > 0);
	if (sample) return sample;
	throw readFailure(
		'No list with rows could be read.',
		'Run the check with an account that may read vendors or device codes, once there are some.',
	);
}

/**
 * Reads a page of the main list; where the service refuses it, for now and later, it has a failure.
 * @throws Failure when there is no list, or the service may give the page later
 */
export async function readMain(
	session: CheckSession,
	query: Record<string, number>,
): Promise<CheckedPage> {
	const page = await session.read(mainSample(session).list, query);
	if (page.failure?.details.retryable) throw page.failure;
	return page;
}
