// The requests of one check: reads only, few, and within a time.
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { parsePage, type Page } from '../answer/answerData';
import type { ListOperation } from '../area';
import { accountOf, type Account } from '../auth/account';
import {
	authorizationFormOf,
	otherAuthorizationForm,
	type AuthorizationForm,
} from '../auth/credentialTest';
import { requestToken } from '../auth/grants';
import type { HttpRequest } from '../auth/signInRequest';
import { Failure } from '../failure';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure } from '../items/errors';
import { RowIdentity } from '../kinds/list/rowIdentity';
import { buildRequest } from '../request/request';
import { RunStatistics } from '../send/runStatistics';
import { readCredentials } from '../send/runToken';
import type { Answer } from '../send/sendTypes';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';

/** The most reads of one check, those that are sent again included. */
const maxReads = 80;

/** Milliseconds that one check may take. */
const maxTime = 120_000;

/** Of one request. */
const limits = { timeout: 20, maxTries: 3, maxWait: maxTime / 1000 };

/** How many rows the first look at a list asks for: enough to tell where a second page begins. */
export const firstRows = 10;

/** Statuses with which a service refuses the parameters of a request; some refuse them in the body of a 200. */
const statusesOfRefusedQueries = [200, 400, 404, 413, 414, 416, 422, 431, 500, 501];

/** The parameters of a list, as they are sent. */
type Query = Record<string, string | number>;

/** Rows of a list. */
export interface Reading extends Page {
	/** What was asked for. */
	query: Query;
	/** The request and its answer in short. */
	exchange: string;
	headers: NonNullable<Answer['headers']>;
	/** Milliseconds since the epoch. */
	receivedAt: number;
	/** In what the answer differs from the description. */
	remarks: readonly string[];
}

/** The first look at a list. */
export interface ListOverview {
	list: WatchedList;
	/** The first rows, or why they could not be read. */
	reading: Reading | Failure;
}

/**
 * Why a question cannot be answered.
 * @param advice what a person can do to have it answered
 */
export const cannotTell = (why: string, advice?: string): Failure =>
	new Failure(why, 'refused', { advice });

/** The request line, with the parameters as they are before they are encoded. */
const requestInWords = ({ request }: ListOperation, query: Query): string => {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return parameters.length === 0 ? request : `${request}?${parameters.join('&')}`;
};

/** Aborted when the check has taken its time, and when the execution is cancelled. */
function checkStop(ctx: IExecuteFunctions): AbortSignal {
	// Not AbortSignal.any, which loses its timer to the garbage collector in Node.js 20.
	const stop = new AbortController();
	for (const signal of [AbortSignal.timeout(maxTime), ctx.getExecutionCancelSignal()]) {
		signal?.addEventListener('abort', () => stop.abort());
	}
	return stop.signal;
}

export class CheckSession {
	private readonly statistics = new RunStatistics();

	/** What shows the answer to the question that is asked now: requests, with their answers in short. */
	evidence: string[] = [];

	/** The lists that were looked at. */
	readonly overview: ListOverview[] = [];

	/** How the token is written now. */
	authorizationForm!: AuthorizationForm;

	/** How the token is written by the nodes. */
	readonly configuredForm: AuthorizationForm;

	readonly account: Account;

	/** The service, with what the credential says of how it works. */
	access!: ServiceAccess;

	private readonly found = new Map<unknown, Promise<unknown>>();

	private readonly stop: AbortSignal;

	private constructor(
		private readonly ctx: IExecuteFunctions,
		credentials: ICredentialDataDecryptedObject,
	) {
		this.stop = checkStop(ctx);
		this.account = accountOf(credentials);
		this.configuredForm = authorizationFormOf(credentials.authorizationHeader);
	}

	/**
	 * Opens the service, and reads the beginning of each list.
	 * @throws what n8n throws when no credential is selected; SignInError or Failure when it cannot be used
	 */
	static async open(ctx: IExecuteFunctions, lists: readonly WatchedList[]): Promise<CheckSession> {
		const session = new CheckSession(ctx, await readCredentials(ctx));
		await session.openAccess(lists[0]!, session.configuredForm);
		await session.lookAt(lists);
		return session;
	}

	/** Reads that were sent so far. */
	get readCount(): number {
		return this.statistics.tries;
	}

	/** How often a token was refused. */
	get refusedTokens(): number {
		return this.statistics.failedTries.get(401) ?? 0;
	}

	/** What could be read at the first look. */
	get readings(): Reading[] {
		return this.overview.flatMap(({ reading }) => (reading instanceof Failure ? [] : [reading]));
	}

	/** @param form how the token is written from now on */
	private async openAccess({ operation }: WatchedList, form: AuthorizationForm): Promise<void> {
		const value = async () => ({
			...(await readCredentials(this.ctx)),
			authorizationHeader: form,
		});
		const ctx = Object.create(this.ctx, { getCredentials: { value } }) as IExecuteFunctions;
		this.access = await openServiceAccess(ctx, operation, 1, this.stop, this.statistics);
		this.authorizationForm = form;
	}

	/**
	 * Reads the beginning of each list. Why one cannot be read is a part of the answer, and no error. Where the token
	 * is refused, it is written in the other way from then on, if that is accepted.
	 */
	private async lookAt(lists: readonly WatchedList[]): Promise<void> {
		for (const list of lists) {
			let reading = await this.beginningOf(list);
			const isFirst = this.overview.length === 0;
			if (isFirst && reading instanceof Failure && reading.code === 'tokenRefused') {
				await this.openAccess(list, otherAuthorizationForm(this.authorizationForm));
				reading = await this.beginningOf(list);
				if (reading instanceof Failure) await this.openAccess(list, this.configuredForm);
			}
			this.overview.push({ list, reading });
			// What kept the first request from being answered would keep the others from it, too.
			if (reading instanceof Failure && reading.details.status === undefined) break;
		}
	}

	private async beginningOf({ operation }: WatchedList): Promise<Reading | Failure> {
		const query: Query = operation.paged ? { limit: firstRows } : {};
		return await this.read(query, operation).catch((error: unknown) => asFailure(error, 'refused'));
	}

	/**
	 * The list by which all that concerns lists is found out: the first that is read in pages and has rows.
	 * @throws Failure when there is none
	 */
	mainList() {
		for (const { list, reading } of this.overview) {
			const { operation } = list;
			if (reading instanceof Failure || !operation.paged || reading.rows.length === 0) continue;
			const identity = new RowIdentity(operation.idField);
			/** What the rows are told apart by. */
			const keysOf = ({ rows }: Page) => rows.map((row) => identity.keyOf(row));
			return { operation, first: reading, keysOf };
		}
		throw cannotTell(
			'No list that has rows could be read.',
			'Run the check with an account that may read vendors or device codes, once there are some.',
		);
	}

	/** What several questions need, found out by the first of them. */
	async shared<Value>(findOut: (session: CheckSession) => Promise<Value>): Promise<Value> {
		const known = this.found.get(findOut) ?? findOut(this);
		this.found.set(findOut, known);
		return (await known) as Value;
	}

	/** Makes earlier readings evidence of the answer. */
	cite(...readings: Reading[]): void {
		this.evidence.push(...readings.map(({ exchange }) => exchange));
	}

	/**
	 * Sends one read.
	 * @throws Failure when no answer came, or no time or no request is left
	 */
	private async ask(operation: ListOperation, query: Query): Promise<Answer> {
		if (this.stop.aborted) throw cannotTell('The check was over before this could be asked.');
		const maxTries = Math.min(limits.maxTries, maxReads - this.readCount);
		if (maxTries < 1) throw cannotTell('The check had too few requests left to ask this.');
		const settings = { ...defaultSettings, ...limits, maxTries } as unknown as Settings;
		const request = buildRequest(operation, { path: {}, query, settings });
		return await this.access.send(request, this.stop);
	}

	/**
	 * Reads rows, of the main list if no other is named.
	 * @throws Failure when the service does not give any
	 */
	async read(query: Query, operation = this.mainList().operation): Promise<Reading> {
		const answer = await this.ask(operation, query);
		const { status, headers = {} } = answer;
		const remarks: string[] = [];
		const page = parsePage(answer, operation, (remark) => remarks.push(remark));
		const { rows, totalRows } = page;
		const count = `${pluralize(rows.length, 'row')}${totalRows === undefined ? '' : ` of ${totalRows}`}`;
		const exchange = `${requestInWords(operation, query)} → ${status}, ${count}`;
		const reading = { ...page, query, exchange, headers, receivedAt: Date.now(), remarks };
		this.cite(reading);
		return reading;
	}

	/**
	 * Reads rows of the main list.
	 * @returns undefined when the service does not take the parameters
	 * @throws Failure for any other reason not to give rows
	 */
	async readUnlessRefused(query: Query): Promise<Reading | undefined> {
		const { operation } = this.mainList();
		return await this.read(query, operation).catch((error: unknown) => {
			const { status = 0, serviceWords = [] } = error instanceof Failure ? error.details : {};
			if (!statusesOfRefusedQueries.includes(status)) return Promise.reject(error as Error);
			const words = serviceWords.length > 0 ? `: ${serviceWords.join('; ')}` : '';
			this.evidence.push(`${requestInWords(operation, query)} → ${status}${words}`);
			return undefined;
		});
	}

	/**
	 * Reads again what an answer was concluded from.
	 * @param query that has to give the same rows
	 * @throws Failure when it does not, so that whatever was compared with them says nothing
	 */
	async confirm(before: Reading, query = before.query): Promise<void> {
		const { keysOf } = this.mainList();
		const again = await this.read(query);
		const contentsOf = (reading: Page) => [reading.totalRows, ...keysOf(reading)].join();
		if (contentsOf(again) !== contentsOf(before))
			throw cannotTell(
				'The list was not the same when it was read again.',
				'Leave the setting as it is, and run the check again later.',
			);
	}

	/**
	 * Signs in once more, apart from the nodes: the token is used for nothing.
	 * @throws Failure when a person has not allowed it, since it may end the token of what is running
	 * @throws SignInError when it fails
	 */
	async signInAgain(): Promise<void> {
		if (!this.ctx.getNodeParameter('options.signInAgain', 0, false))
			throw cannotTell(
				'Not asked, since it may interrupt running workflows.',
				"To have it asked, add 'Sign In Again' under 'Options' of this node.",
			);
		const { account, ctx } = this;
		const http: HttpRequest = (options) => ctx.helpers.httpRequest(options) as Promise<unknown>;
		await requestToken(account.signInContext(http));
	}
}
