// The requests of one check: reads only, few, and within a time.
import type { IExecuteFunctions } from 'n8n-workflow';

import { parsePage, type Page } from '../answer/answerData';
import type { Failure, FailureCode } from '../failure';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure } from '../items/errors';
import { keyOf, type RowKey } from '../kinds/list/rowIdentity';
import { buildRequest } from '../request/request';
import { RunStatistics } from '../send/runStatistics';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';
import { cannotTell } from './findings';

/** The most reads of one check, retries included. */
const maxReads = 80;

/** Milliseconds that one check may take. */
const maxTime = 120_000;

/** Of one request. */
const limits = { timeout: 20, maxTries: 3, maxWait: maxTime / 1000 };

const settings = { ...defaultSettings, ...limits } as unknown as Settings;

/** How many rows the first reading of a list asks for: enough to tell where a later page begins. */
const firstRows = 10;

/** What one read gave. */
export interface Reading extends Page {
	list: WatchedList;
	/** What the rows are told apart by. */
	keys: RowKey[];
	/** Why there are no rows. */
	failure?: Failure;
	/** The request and its response in one line. */
	summary: string;
}

export interface CheckSession {
	readonly lists: readonly WatchedList[];
	/** The service, as the credential describes it. */
	readonly access: ServiceAccess;
	/** Aborted when the check has taken its time or sent its requests, and when the execution is cancelled. */
	readonly stop: AbortSignal;
	/** All readings so far, in their order. */
	readonly readings: Reading[];
	/** The first reading of each list, with the token written as it is now. */
	firstReadings: Reading[];
	/** The offset of a list's first row, once it is known. */
	offsetBase?: number;
}

/**
 * @param lists that the check reads; one at least
 * @throws what openServiceAccess() throws when the credential cannot be used
 */
export async function openSession(
	ctx: IExecuteFunctions,
	lists: readonly WatchedList[],
): Promise<CheckSession> {
	const statistics = new RunStatistics();
	const end = new AbortController();
	// Not AbortSignal.any, which loses its timer to the garbage collector in Node.js 20.
	for (const signal of [AbortSignal.timeout(maxTime), ctx.getExecutionCancelSignal()])
		signal?.addEventListener('abort', () => end.abort());
	statistics.onTryEnded = () => {
		if (statistics.tries >= maxReads) end.abort();
	};
	const stop = end.signal;
	const sending = { operation: lists[0]!.operation, maxParallel: 1, stop };
	const access = await openServiceAccess(ctx, sending, statistics);
	return { lists, access, stop, readings: [], firstReadings: [] };
}

/** The parameters of a list, as they are sent. */
type Query = Record<string, number>;

/**
 * Sends one read.
 * @returns also why there are no rows, which is no error
 * @throws Failure when the check is over
 */
async function read(session: CheckSession, list: WatchedList, query: Query): Promise<Reading> {
	const { access, stop, readings } = session;
	if (stop.aborted)
		throw cannotTell(
			`The check ended before it could ask this: it sends at most ${maxReads} requests in two minutes.`,
		);
	const { operation } = list;
	const response: Page & { failure?: Failure } = await access
		.send(buildRequest(operation, { path: {}, query, settings }))
		.then((answer) => parsePage(answer, operation, () => {}))
		.catch((error: unknown) => ({
			rows: [],
			failure: asFailure(error, 'refused').mapTexts(access.redactSecrets),
		}));
	const { rows, totalRows = '?', failure } = response;
	const parameters = Object.entries(query).map((pair) => pair.join('='));
	const line = `${operation.route}?${parameters.join('&')}`.replace(/\?$/, '');
	const result = failure?.message ?? `${pluralize(rows.length, 'row')} of ${totalRows}`;
	const summary = `${line} → ${result}`;
	const keys = rows.map((row) => keyOf(row, operation.idField));
	readings.push({ ...response, list, keys, summary });
	return readings.at(-1)!;
}

/** Reads the beginning of each list anew. */
export async function readFirstRows(session: CheckSession): Promise<readonly Reading[]> {
	const readings: Reading[] = (session.firstReadings = []);
	for (const list of session.lists) {
		const reading = await read(session, list, list.operation.paged ? { limit: firstRows } : {});
		readings.push(reading);
		// What kept a request from being answered would keep the others from it, too, and so would a refused token.
		const { code, details } = reading.failure ?? {};
		if (code === 'tokenRefused' || (details && details.status === undefined)) break;
	}
	return readings;
}

/**
 * The first rows of the list by which all that concerns lists is found out: the first that is read in pages and has
 * rows.
 * @throws Failure when there is none
 */
export function mainSample({ firstReadings }: CheckSession): Reading {
	const sample = firstReadings.find(({ list, rows }) => list.operation.paged && rows.length > 0);
	if (sample) return sample;
	throw cannotTell(
		'No list with rows could be read.',
		'Run the check with an account that may read vendors or device codes, once there are some.',
	);
}

/** Failures that depend on the account or the moment, and not on the parameters. */
const otherFailures: FailureCode[] = ['keyRefused', 'quotaUsedUp', 'tokenRefused', 'tooBusy'];

/** Whether a response without a list is the service's way to refuse the parameters of a request, or may be. */
const refusesParameters = ({ code, details: { status = 500 } }: Failure): boolean =>
	status < 500 && status !== 408 && !otherFailures.includes(code);

/**
 * Reads rows of the main list; a reading whose parameters the service refuses has a failure.
 * @throws Failure when there are no rows for another reason
 */
export async function readRows(session: CheckSession, query: Query): Promise<Reading> {
	const reading = await read(session, mainSample(session).list, query);
	const { failure } = reading;
	if (failure && !refusesParameters(failure)) throw failure;
	return reading;
}

/** @throws Failure when the first rows of the main list, read again, are not the same */
export async function requireUnchanged(session: CheckSession): Promise<void> {
	const contentsOf = ({ totalRows, keys }: Reading) => [totalRows, ...keys].join();
	const again = await readRows(session, { limit: firstRows });
	if (contentsOf(again) !== contentsOf(mainSample(session)))
		throw cannotTell('The list differed when it was read again.');
}
