// What n8n's log, the editor and a saved execution are told of a run, while it lasts and at its end: numbers, and
// which items; never a value of an item, and nothing of a request.
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import type { Ledger } from './items/ledger';
import { countsInWords, countsOf, reportOf, shortReportOf, sumCounts } from './items/report';
import { executionContextOf, saveToExecution, sendToEditor } from './n8n';
import type { Exchange } from './send/exchange';
import type { FailedTries, RunStatistics } from './send/runStatistics';

/** Milliseconds between two lines of progress. */
const progressInterval = 30_000;

/** Milliseconds for which a run may be held up before a hint says so. */
const minHeldUpForHint = 3000;

/** From how many failed tries on a hint says so, if they are more than a tenth of all. */
const minFailedTriesForHint = 20;

/** Such as "12 with status 503, 1 without an answer"; '' when none failed. */
const failedTriesInWords = (failed: FailedTries): string =>
	[...failed]
		.map(([status, count]) => {
			const how = status === undefined ? 'without an answer' : `with status ${status}`;
			return `${formatCount(count)} ${how}`;
		})
		.join(', ');

/** Whether a try failed by the service's state, and not by what was sent. */
const isServiceFailure = (status: number | undefined): boolean =>
	status === undefined || status === 429 || status >= 500;

/** The outcomes of the items of each run of a node in one execution: in a loop it has several. */
const countsByRun = new WeakMap<object, Map<number, ReturnType<typeof countsOf>>>();

export class RunLog {
	private readonly name: string;

	private readonly ended = new AbortController();

	/** To be called when the run begins. */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly ledger: Ledger,
		private readonly statistics: RunStatistics,
	) {
		this.name = ctx.getNode().name;
		statistics.onTryEnded = (exchange) => this.logTry(exchange);
		const { signal } = this.ended;
		ctx.getExecutionCancelSignal()?.addEventListener('abort', () => this.saveReport(), { signal });
		const items = pluralize(ledger.results.length, 'item');
		this.log('info', `begins with ${items}: ${operation.request}`, this.facts);
		this.scheduleProgress();
	}

	private get facts() {
		return { operation: this.operation.request, items: this.ledger.results.length };
	}

	private log(level: 'debug' | 'info' | 'warn', text: string, facts: object = {}): void {
		const { ctx, name } = this;
		const ids = { executionId: ctx.getExecutionId(), workflowId: ctx.getWorkflow().id };
		ctx.logger[level](`${name}: ${text}`, { ...ids, ...facts });
	}

	/** Also shows it in the console of the browser that runs the workflow by hand. */
	private tell(level: 'info' | 'warn', text: string): void {
		this.log(level, text);
		sendToEditor(this.ctx, text);
	}

	/** A line for each failed try: one for each try would cost as much as all else that is done here. */
	private logTry({ startedAt, status, retryAfter }: Exchange): void {
		if (status !== undefined && status < 400) return;
		const answer = status === undefined ? 'no answer' : `status ${status}`;
		const asked = retryAfter === undefined ? '' : `, asks to wait ${formatDuration(retryAfter)}`;
		const time = formatDuration(performance.now() - startedAt);
		this.log('debug', `${this.operation.request}: ${answer} after ${time}${asked}`);
	}

	/** This timer of Node.js keeps no process alive, and has nothing left to do once the run has ended. */
	private scheduleProgress(): void {
		const timer = AbortSignal.timeout(progressInterval);
		const onTime = () => {
			this.tell('info', this.progress);
			this.scheduleProgress();
		};
		timer.addEventListener('abort', onTime, { once: true, signal: this.ended.signal });
	}

	private get progress(): string {
		const { results } = this.ledger;
		const settled = results.filter((itemResults) => itemResults !== undefined).length;
		const { inflight, failedTries, pauseLeft } = this.statistics;
		const failed = failedTriesInWords(failedTries);
		return [
			`${formatCount(settled)} of ${formatCount(results.length)}`,
			`${inflight} under way`,
			failed && `failed tries: ${failed}`,
			pauseLeft > 0 && `waiting ${formatDuration(pauseLeft)} for ${this.awaitedService}`,
		]
			.filter(Boolean)
			.join(', ');
	}

	/** Saves the report beside a cancelled execution, also at the moment when n8n saves the execution. */
	private saveReport(): void {
		const { ctx, name, ledger, operation } = this;
		if (isWriting(operation)) saveToExecution(ctx, name, shortReportOf(ledger.currentResults));
	}

	/** Saves the counts beside the execution, by which n8n can search for those in which something failed. */
	private saveCounts(counts: ReturnType<typeof countsOf>): void {
		const { context, runIndex } = executionContextOf(this.ctx);
		const ofRuns = countsByRun.get(context) ?? new Map<number, typeof counts>();
		countsByRun.set(context, ofRuns.set(runIndex, counts));
		const total = countsInWords(this.operation, sumCounts([...ofRuns.values()]));
		if (isWriting(this.operation) || total.includes('failed'))
			saveToExecution(this.ctx, this.name, total);
	}

	private summaryOf(counts: ReturnType<typeof countsOf>): string {
		const { tries, failedTries, askedToWait, heldUp, signIns, peak, startedAt } = this.statistics;
		const failed = failedTriesInWords(failedTries);
		const why = askedToWait > 0 && `, the service asked to wait ${pluralize(askedToWait, 'time')}`;
		return [
			`${pluralize(this.facts.items, 'item')} in ${formatDuration(performance.now() - startedAt)}`,
			countsInWords(this.operation, counts),
			`${pluralize(tries, 'try', 'tries')}${failed && `, failed: ${failed}`}`,
			`held up for ${formatDuration(heldUp)}${why || ''}`,
			pluralize(signIns, 'sign-in'),
			`${peak} at once at most`,
		].join('; ');
	}

	/** What a run waits for. */
	private get awaitedService(): string {
		const hasAsked = this.statistics.askedToWait > 0;
		return `the service, which ${hasAsked ? 'asked to wait' : 'failed or was too busy'}`;
	}

	/** Why the run took longer than it would with a service that answers at once. */
	private hintAtDelays(): void {
		const { heldUp, tries, failedTries } = this.statistics;
		if (heldUp > minHeldUpForHint)
			this.ledger.hint(`This run waited ${formatDuration(heldUp)} for ${this.awaitedService}.`);
		const failed = new Map([...failedTries].filter(([status]) => isServiceFailure(status)));
		const count = [...failed.values()].reduce((sum, one) => sum + one, 0);
		if (count >= minFailedTriesForHint && count > tries / 10) {
			const share = `${formatCount(count)} of ${formatCount(tries)} tries`;
			const statuses = failedTriesInWords(failed);
			this.ledger.hint(`The service failed or was too busy in ${share} (${statuses}).`);
		}
	}

	/** To be called when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		this.hintAtDelays();
		const { ctx, ledger, operation, statistics } = this;
		const results = ledger.currentResults;
		const counts = countsOf(results, ledger.begun);
		const failed = [...statistics.failedTries];
		const failedTries = Object.fromEntries(failed.map(([status = 'none', n]) => [status, n]));
		const heldUpMs = Math.round(statistics.heldUp);
		this.log('info', this.summaryOf(counts), { ...this.facts, ...counts, failedTries, heldUpMs });
		for (const hint of ledger.hints) this.log('info', hint);
		if (!ctx.getExecutionCancelSignal()?.aborted) return this.saveCounts(counts);
		const report = reportOf(operation, results, 'log');
		if (report !== '') this.tell('warn', `the execution was cancelled. ${report}`);
		this.saveReport();
	}
}
