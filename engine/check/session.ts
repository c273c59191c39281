// The requests of one check: reads only, few, and within a time. What was read is kept, so that several questions are
// answered from the same answers.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNotModified, pageIn, recordIn, requireSuccess } from '../answer/answerData';
import type { ItemOperation, ListOperation, Operation } from '../area';
import { settingsOf, type AccountSettings } from '../auth/accountSettings';
import {
	authorizationFormOf,
	otherAuthorizationForm,
	type AuthorizationForm,
} from '../auth/credentialTest';
import { requestToken } from '../auth/grants';
import { unpackToken } from '../auth/token';
import { Failure } from '../failure';
import type { CheckOptions } from '../form/check';
import type { ServiceConventions } from '../form/serviceConventions';
import { defaultSettings, type Settings } from '../form/settings';
import type { WatchedList } from '../form/trigger';
import { countOf } from '../http/inWords';
import { buildRequest } from '../request/request';
import { credentialType, readCredentials } from '../send/runToken';
import type { Answer } from '../send/sendTypes';
import { openServiceAccess, type ServiceAccess } from '../send/serviceAccess';
import { CannotTell } from './findings';

/** What the check reads. */
export interface CheckedOperations {
	lists: readonly WatchedList[];
	/** Reads one record by its ID. */
	record: ItemOperation;
}

/** The most requests of one check, those that are sent again included. */
export const maxRequests = 80;

/** Milliseconds that one check may take. */
export const maxTime = 120_000;

/** Of one request. */
const limits = { timeout: 20, maxTries: 3, maxWait: maxTime / 1000 };

/** The most requests under way at once. */
const maxParallel = 8;

/** The parameters of a list, as they are sent. */
export type Query = Record<string, string | number>;

interface Observed {
	/** The request and its answer in short. */
	evidence: string;
	status: number;
	headers: NonNullable<Answer['headers']>;
	/** Milliseconds since the epoch. */
	receivedAt: number;
	/** Milliseconds that the answer took; undefined where the service was asked more than once. */
	delay?: number;
	/** How often the request was sent. */
	tries: number;
	/** In what the answer differs from the description. */
	remarks: readonly string[];
}

/** Rows of a list. */
export interface Reading extends Observed {
	rows: readonly IDataObject[];
	/** How many rows the service counts; undefined when it does not count. */
	totalRows?: number;
}

/** A request whose parameters the service does not take. */
export interface RefusedQuery {
	/** The request and its answer in short. */
	evidence: string;
	refusedWith: number;
}

export const isRefusedQuery = (reading: Reading | RefusedQuery): reading is RefusedQuery =>
	'refusedWith' in reading;

/** Statuses with which a service refuses the parameters of a request; some refuse them in the body of a 200. */
const statusesOfRefusedQueries = [200, 400, 404, 413, 414, 416, 422, 431, 500, 501];

const rowsInWords = (rows: readonly unknown[], totalRows: number | undefined): string =>
	`${countOf(rows.length, 'row')}${totalRows === undefined ? '' : ` of ${totalRows}`}`;

/** The request line, with the parameters as they are before they are encoded. */
const requestInWords = ({ request }: Operation, query: Query): string => {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return parameters.length === 0 ? request : `${request}?${parameters.join('&')}`;
};

export class CheckSession {
	/** Requests that were sent so far. */
	requestCount = 0;

	/** Milliseconds that each answer took. */
	readonly delays: number[] = [];

	/** How the token is written now. */
	authorizationForm: AuthorizationForm;

	readonly settings: AccountSettings;

	private readonly found = new Map<string, Promise<unknown>>();

	private constructor(
		private readonly ctx: IExecuteFunctions,
		readonly operations: CheckedOperations,
		readonly options: CheckOptions,
		private readonly credentials: Awaited<ReturnType<typeof readCredentials>>,
		private access: ServiceAccess,
		private readonly stop: AbortSignal,
	) {
		this.settings = settingsOf(credentials);
		this.authorizationForm = this.configuredAuthorizationForm;
	}

	/**
	 * @param stop ends the check
	 * @throws what n8n throws when no credential is selected; SignInError or Failure when it cannot be used
	 */
	static async open(
		ctx: IExecuteFunctions,
		operations: CheckedOperations,
		options: CheckOptions,
		stop: AbortSignal,
	): Promise<CheckSession> {
		const credentials = await readCredentials(ctx);
		const access = await openServiceAccess(ctx, operations.record, maxParallel, stop);
		return new CheckSession(ctx, operations, options, credentials, access, stop);
	}

	get conventions(): ServiceConventions {
		return this.access.conventions;
	}

	/** How the token is written by the nodes. */
	get configuredAuthorizationForm(): AuthorizationForm {
		return authorizationFormOf(this.credentials.authorizationHeader);
	}

	/** Also where the grant of the credential does not need one. */
	get redirectUri(): string {
		const { redirectUri } = this.credentials;
		return typeof redirectUri === 'string' ? redirectUri.trim() : '';
	}

	/** Takes the credential's secrets out of a text. */
	redactSecrets(text: string): string {
		return this.access.redactSecrets(text);
	}

	/** Writes the token in the other way from now on. */
	async changeAuthorizationForm(): Promise<void> {
		const authorizationForm = otherAuthorizationForm(this.authorizationForm);
		const ctx = Object.create(this.ctx, {
			getCredentials: {
				value: async () => ({
					...(await readCredentials(this.ctx)),
					authorizationHeader: authorizationForm,
				}),
			},
		}) as IExecuteFunctions;
		this.access = await openServiceAccess(ctx, this.operations.record, maxParallel, this.stop);
		this.authorizationForm = authorizationForm;
	}

	/** What several questions need, found out once. */
	async once<Value>(name: string, findOut: () => Promise<Value>): Promise<Value> {
		const known = this.found.get(name) ?? findOut();
		this.found.set(name, known);
		return (await known) as Value;
	}

	/**
	 * Sends one read.
	 * @throws CannotTell when there is no time or no request left
	 * @throws Failure when no answer came
	 */
	private async ask(
		operation: Operation,
		query: Query,
		path: Record<string, number> = {},
		etag?: string,
	): Promise<Answer> {
		if (this.stop.aborted) throw new CannotTell('The check was over before this could be asked.');
		const maxTries = Math.min(limits.maxTries, maxRequests - this.requestCount);
		if (maxTries < 1) {
			throw new CannotTell('The check had too few requests left to ask this.');
		}
		const version = etag === undefined ? {} : { etag };
		const settings = { ...defaultSettings, ...limits, maxTries, ...version };
		const request = buildRequest(operation, {
			path,
			query,
			settings: settings as unknown as Settings,
		});
		// Counted beforehand, since others are sent meanwhile; those that were not needed are free again.
		this.requestCount += maxTries;
		const triesOf = ({ tries = 1 }: { tries?: number }): number => tries;
		const sending = this.access.send(request, this.stop);
		const tries = await sending.then(triesOf, (error: unknown) =>
			error instanceof Failure ? triesOf(error.details) : maxTries,
		);
		this.requestCount -= maxTries - tries;
		return await sending;
	}

	private observe(answer: Answer, evidence: string, remarks: readonly string[]): Observed {
		const { status, headers = {}, tries = 1 } = answer;
		const delay = tries === 1 ? answer.delay?.now : undefined;
		if (delay !== undefined) this.delays.push(delay);
		return { evidence, status, headers, receivedAt: Date.now(), delay, tries, remarks };
	}

	/**
	 * Reads rows.
	 * @throws Failure when the service does not give any; CannotTell as ask() does
	 */
	async read(operation: ListOperation, query: Query): Promise<Reading> {
		const answer = await this.ask(operation, query);
		const remarks: string[] = [];
		const { rows, totalRows } = pageIn(requireSuccess(answer, operation), operation, (remark) =>
			remarks.push(remark),
		);
		const request = requestInWords(operation, query);
		const evidence = `${request} → ${answer.status}, ${rowsInWords(rows, totalRows)}`;
		return { ...this.observe(answer, evidence, remarks), rows, totalRows };
	}

	/**
	 * Reads rows where the service may not take the parameters.
	 * @throws Failure for any other reason not to give rows; CannotTell as ask() does
	 */
	async tryToRead(operation: ListOperation, query: Query): Promise<Reading | RefusedQuery> {
		return await this.read(operation, query).catch((error: unknown) => {
			const { status = 0, serviceWords = [] } = error instanceof Failure ? error.details : {};
			if (!statusesOfRefusedQueries.includes(status)) return Promise.reject(error as Error);
			const words = serviceWords.length > 0 ? `: ${serviceWords.join('; ')}` : '';
			const evidence = `${requestInWords(operation, query)} → ${status}${words}`;
			return { evidence, refusedWith: status };
		});
	}

	/**
	 * Reads one record.
	 * @param etag the version that the record may have
	 * @returns its fields; undefined when it still has that version
	 * @throws Failure when the service does not give it; CannotTell as ask() does
	 */
	async readRecord(id: number, etag?: string): Promise<Observed & { record?: IDataObject }> {
		const { record: operation } = this.operations;
		const { name } = operation.ids![0]!;
		const answer = await this.ask(operation, {}, { [name]: id }, etag);
		const withVersion = etag === undefined ? '' : `, ETag: ${etag}`;
		const request = operation.request.replace(`{${name}}`, String(id));
		const evidence = `${request}${withVersion} → ${answer.status}`;
		const remarks: string[] = [];
		if (isNotModified(requireSuccess(answer, operation)))
			return this.observe(answer, evidence, remarks);
		const body = recordIn(answer, operation, (remark) => remarks.push(remark));
		return {
			...this.observe(answer, evidence, remarks),
			record: body[operation.returns.name] as IDataObject,
		};
	}

	/** @returns seconds; undefined when the service did not say when it issued the token */
	async tokenLifetime(): Promise<number | undefined> {
		const { accessToken } = await this.ctx.getCredentials(credentialType);
		const { obtainedAt = 0, expiresAt } = unpackToken(accessToken) ?? {};
		return expiresAt === undefined ? undefined : (expiresAt - obtainedAt) / 1000;
	}

	/**
	 * Signs in, apart from the nodes.
	 * @throws SignInError when that fails
	 */
	async signIn(settings: AccountSettings): Promise<void> {
		this.requestCount += settings.grantType === 'password' ? 1 : 2;
		const { helpers } = this.ctx;
		await requestToken((options) => helpers.httpRequest(options) as Promise<unknown>, settings, []);
	}
}
