// The requests of one check: reads only.
import type { IExecuteFunctions } from 'n8n-workflow';

import { parsePage, type Page } from '../answer/answerData';
import type { Failure, FailureCode } from '../failure';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../form/trigger';
import { asFailure } from '../items/errors';
import { buildRequest } from '../request/request';
import { SendingRun } from '../send/sendingRun';
import { openServiceAccess, ServiceAccess } from '../send/serviceAccess';
import { cannotTell } from './findings';

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

export interface CheckSession {
	readonly lists: readonly WatchedList[];
	/** The service, as the credential describes it. */
	access: ServiceAccess;
	/** A new access, which knows nothing of what ended the one before. */
	readonly reopen: () => ServiceAccess;
	/** The beginning of each list, once the service accepts the token as it is written now. */
	firstPages: readonly CheckedPage[];
}

/**
 * @param lists that the check reads; one at least
 * @throws what openServiceAccess() throws when the credential cannot be used
 */
export async function openSession(
	ctx: IExecuteFunctions,
	lists: readonly WatchedList[],
): Promise<CheckSession> {
	const stop = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const sending = () => new SendingRun(lists[0]!.operation, stop);
	const access = await openServiceAccess(ctx, sending());
	const reopen = () => new ServiceAccess(ctx, access.credentials, sending());
	return { lists, access, reopen, firstPages: [] };
}

/** The parameters of a list, as they are sent. */
type Query = Record<string, number>;

/** Sends one read. That there are no rows, for whatever reason, is no error. */
async function read(
	{ access }: CheckSession,
	list: WatchedList,
	query: Query,
): Promise<CheckedPage> {
	const { operation } = list;
	return await access
		.send(buildRequest(operation, { path: {}, query, settings }))
		.then((answer) => ({ ...parsePage(answer, operation, () => {}), list }))
		.catch((error: unknown) => {
			const failure = asFailure(error, 'refused').mapTexts(access.redactSecrets);
			return { rows: [], list, failure };
		});
}

/** Reads the beginning of each list. */
export async function readFirstPages(session: CheckSession): Promise<CheckedPage[]> {
	const firstPages: CheckedPage[] = [];
	for (const list of session.lists) {
		const page = await read(session, list, list.operation.paged ? { limit: firstRows } : {});
		firstPages.push(page);
		// What kept a request from being answered would keep the others from it, too, and so would a refused token.
		const { code, details } = page.failure ?? {};
		if (code === 'tokenRefused' || (details && details.status === undefined)) break;
		// A key belongs to a product, so another list may take it.
		if (code === 'keyRefused') session.access = session.reopen();
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
	throw cannotTell(
		'No list with rows could be read.',
		'Run the check with an account that may read vendors or device codes, once there are some.',
	);
}

/** Failures that may be the service's way to refuse the parameters of a request. */
const refusals: FailureCode[] = ['valuesRefused', 'refused', 'unreadableAnswer'];

/**
 * Reads a page of the main list; where the service refuses the parameters, it has a failure.
 * @throws Failure when there are no rows for another reason
 */
export async function readMain(session: CheckSession, query: Query): Promise<CheckedPage> {
	const page = await read(session, mainSample(session).list, query);
	if (page.failure && !refusals.includes(page.failure.code)) throw page.failure;
	return page;
}
