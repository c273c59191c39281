// The requests of one check: reads only, few, and within a time.
import type { IExecuteFunctions } from 'n8n-workflow';

import { parsePage, type Page } from '../answer/answerData';
import type { ListOperation } from '../area';
import { authorizationFormOf, type AuthorizationForm } from '../auth/credentialTest';
import { Failure, type FailureCode } from '../failure';
import type { ServiceConventions } from '../form/serviceConventions';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure } from '../items/errors';
import { keyOf } from '../kinds/list/rowIdentity';
import { buildRequest } from '../request/request';
import { RunStatistics } from '../send/runStatistics';
import type { Answer } from '../send/try';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';

/** The most reads of one check, retries included. */
const maxReads = 80;

/** Milliseconds that one check may take. */
const maxTime = 120_000;

/** Of one request. */
const limits = { timeout: 20, maxTries: 3, maxWait: maxTime / 1000 };

/** How many rows the first reading of a list asks for: enough to tell where a second page begins. */
export const firstRows = 10;

/** The parameters of a list, as they are sent. */
type Query = Record<string, string | number>;

/** The settings of the credential that the check asks about. */
export type CheckSettings = ServiceConventions & { authorizationHeader: AuthorizationForm };

/** What one read gave. */
export interface ListReading extends Page {
	list: WatchedList;
	query: Query;
	/** Why there are no rows. */
	failure?: Failure;
	/** The request and its response in one line. */
	summary: string;
	headers: Readonly<Record<string, unknown>>;
	/** Milliseconds since the epoch. */
	receivedAt: number;
	/** The accepted differences from the API spec. */
	deviations: readonly string[];
}

/**
 * Why a question cannot be answered.
 * @param advice what a person can do to have it answered
 */
export const cannotTell = (why: string, advice?: string): Failure =>
	new Failure(why, 'refused', { advice });

export const checkLater = 'Run the check again later.';

/** The codes of a 4xx that depends on the account or the moment, and not on the parameters. */
const otherRefusals: FailureCode[] = ['keyRefused', 'quotaUsedUp', 'tokenRefused', 'tooBusy'];

/**
 * Whether the service refuses the parameters of a request: by a 4xx, or by an error in JSON with a success status. A
 * web page, a 5xx or silence may have nothing to do with them.
 */
export function refusesParameters({ code, details = {} }: Failure): boolean {
	const { status = 0, serviceMessages = [] } = details;
	if (status < 300) return serviceMessages.length > 0;
	return status >= 400 && status < 500 && status !== 408 && !otherRefusals.includes(code);
}

/** The request line, with the parameters as they are before they are encoded. */
const requestInWords = ({ request }: ListOperation, query: Query): string => {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return parameters.length === 0 ? request : `${request}?${parameters.join('&')}`;
};

/** @throws Failure when the response does not hold rows */
function readPage(answer: Answer, operation: ListOperation) {
	const { status, headers = {} } = answer;
	const deviations: string[] = [];
	const page = parsePage(answer, operation, (deviation) => deviations.push(deviation));
	const count = page.totalRows === undefined ? '' : ` of ${page.totalRows}`;
	const summary = `${status}, ${pluralize(page.rows.length, 'row')}${count}`;
	return { ...page, headers, deviations, summary };
}

function noRowsBecause(error: unknown) {
	const failure = asFailure(error, 'refused');
	const { status, serviceMessages = [] } = failure.details;
	const words = status ? [status, ...serviceMessages].join(' ') : failure.message;
	const summary = words.replace(/\s+/g, ' ');
	return { rows: [], headers: {}, deviations: [], failure, summary };
}

export class CheckSession {
	readonly statistics = new RunStatistics();

	/** All readings so far, in their order. */
	readonly readings: ListReading[] = [];

	/** The first reading of each list, with the token written as it is now. */
	firstReadings: ListReading[] = [];

	/** The request that decided the present question, and its response, in one line. */
	evidence = '';

	/** The service, as the credential describes it. */
	access!: ServiceAccess;

	/** As the credential has them, and as the check has found out so far. */
	settings!: CheckSettings;

	/** Aborted when the check has taken its time or sent its requests, and when the execution is cancelled. */
	private readonly end = new AbortController();

	/** @param lists that it reads; one at least */
	constructor(
		private readonly ctx: IExecuteFunctions,
		readonly lists: readonly WatchedList[],
	) {
		// Not AbortSignal.any, which loses its timer to the garbage collector in Node.js 20.
		for (const signal of [AbortSignal.timeout(maxTime), ctx.getExecutionCancelSignal()])
			signal?.addEventListener('abort', () => this.end.abort());
		this.statistics.onTryEnded = () => {
			if (this.statistics.tries >= maxReads) this.end.abort();
		};
	}

	/** Works from now on with a setting as it is given here. */
	async use(name: keyof CheckSettings, value: string | number): Promise<void> {
		if (this.settings[name] === value) return;
		Object.assign(this.settings, { [name]: value });
		if (name === 'authorizationHeader') await this.begin();
	}

	/**
	 * Opens the service, and reads the beginning of each list. Why one cannot be read is a part of its reading, and no
	 * error.
	 * @throws SignInError or Failure when the credential cannot be used
	 */
	async begin(): Promise<void> {
		const { operation } = this.lists[0]!;
		this.access = await openServiceAccess(this.ctx, operation, 1, this.end.signal, this.statistics);
		const { credentials, conventions } = this.access;
		const authorizationHeader = authorizationFormOf(credentials.authorizationHeader);
		this.settings ??= { ...conventions, authorizationHeader };
		credentials.authorizationHeader = this.settings.authorizationHeader;
		this.firstReadings = [];
		for (const list of this.lists) {
			const reading = await this.read(list.operation.paged ? { limit: firstRows } : {}, list);
			this.firstReadings.push(reading);
			// What kept a request from being answered would keep the others from it, too, and so would a refused token.
			const { code, details } = reading.failure ?? {};
			if (code === 'tokenRefused' || (details && details.status === undefined)) return;
		}
	}

	/**
	 * The list by which all that concerns lists is found out: the first that is read in pages and has rows.
	 * @throws Failure when there is none
	 */
	mainList() {
		const beginnings = this.readings.filter(
			({ query, rows }) => Object.keys(query).join() === 'limit' && rows.length > 0,
		);
		const [first] = beginnings;
		if (!first)
			throw cannotTell(
				'No list with rows could be read.',
				'Run the check with an account that may read vendors or device codes, once there are some.',
			);
		const { list } = first;
		/** What the rows are told apart by. */
		const keysOf = ({ rows }: Page) => rows.map((row) => keyOf(row, list.operation.idField));
		/** Those of its readings that are the beginning of the whole list. */
		const pages = beginnings.filter((reading) => reading.list === list);
		const sample = pages.reduce((largest, one) =>
			one.rows.length > largest.rows.length ? one : largest,
		);
		return { list, pages, sample, keysOf };
	}

	/**
	 * Sends one read.
	 * @throws Failure when the check is over
	 */
	private async read(query: Query, list: WatchedList): Promise<ListReading> {
		const { signal } = this.end;
		if (signal.aborted)
			throw cannotTell(
				`The check ended before it could ask this: it sends at most ${maxReads} requests in two minutes.`,
			);
		const settings = { ...defaultSettings, ...limits } as unknown as Settings;
		const { operation } = list;
		const request = buildRequest(operation, { path: {}, query, settings });
		const response = await this.access
			.send(request, signal)
			.then((answer) => readPage(answer, operation))
			.catch(noRowsBecause);
		const summary = `${requestInWords(operation, query)} → ${response.summary}`;
		const reading = { ...response, list, query, summary, receivedAt: Date.now() };
		this.readings.push(reading);
		this.evidence = summary;
		const ids = { workflowId: this.ctx.getWorkflow().id, executionId: this.ctx.getExecutionId() };
		this.ctx.logger.debug(`${this.ctx.getNode().name}: ${this.access.redactSecrets(summary)}`, ids);
		return reading;
	}

	/**
	 * Reads rows of the main list.
	 * @param mayBeRefused whether there are just no rows if the service refuses the parameters
	 * @throws Failure when there are no rows for another reason
	 */
	async readRows(query: Query, mayBeRefused = false): Promise<ListReading> {
		const reading = await this.read(query, this.mainList().list);
		const { failure } = reading;
		if (failure && !(mayBeRefused && refusesParameters(failure))) throw failure;
		return reading;
	}

	/** Reads again what others are compared with. */
	async whyNotSame(): Promise<string | undefined> {
		const { sample, keysOf } = this.mainList();
		const contentsOf = (reading: ListReading) => [reading.totalRows, ...keysOf(reading)].join();
		const again = await this.readRows(sample.query);
		if (contentsOf(again) === contentsOf(sample)) return undefined;
		return 'the list differed when it was read again';
	}
}
