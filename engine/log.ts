// What n8n's log, the editor and a saved execution are told of a run, while it lasts and at its end: numbers, and
// which items; never a value of an item, and nothing of a request.
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from './area';
import { counted, countOf, duration } from './http/inWords';
import type { Ledger } from './items/ledger';
import {
	addUp,
	countsInWords,
	countsOf,
	reportOf,
	shortReportOf,
	type Counts,
} from './items/report';
import type { Results } from './items/results';
import { executionContextOf, noteInExecution, tellEditor } from './n8n';
import type { Exchange } from './send/exchange';
import type { FailedTries, RunStatistics } from './send/runStatistics';

/** Milliseconds between two lines of progress. */
const progressInterval = 30_000;

/** Milliseconds for which a run may be held up before a hint says so. */
const heldUpWorthAHint = 3000;

/** From how many failed tries on a hint says so, if they are more than a tenth of all. */
const failedTriesWorthAHint = 20;

/** Such as "12 with status 503, 1 without an answer"; '' when none failed. */
const failedTriesInWords = (failed: FailedTries): string =>
	[...failed]
		.map(([status, count]) => {
			const how = status === undefined ? 'without an answer' : `with status ${status}`;
			return `${counted(count)} ${how}`;
		})
		.join(', ');

/** Whether a try failed by the service's state, and not by what was sent. */
const isServiceFailure = (status: number | undefined): boolean =>
	status === undefined || status === 429 || status >= 500;

/** What became of the items of each run of a node in one execution: in a loop it has several. */
const countsByRun = new WeakMap<object, Map<number, Counts>>();

export class RunLog {
	private readonly name: string;

	private readonly about: Record<string, unknown>;

	private readonly ended = new AbortController();

	/** To be called when the run begins. */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly ledger: Ledger,
		private readonly statistics: RunStatistics,
	) {
		this.name = ctx.getNode().name;
		this.about = { executionId: ctx.getExecutionId(), workflowId: ctx.getWorkflow().id };
		statistics.onTryEnded = (exchange) => this.logTry(exchange);
		ctx.getExecutionCancelSignal()?.addEventListener('abort', this.onCancelled);
		this.log(
			'info',
			`begins with ${countOf(ledger.results.length, 'item')}: ${operation.request}`,
			this.facts,
		);
		this.tellProgressLater();
	}

	private get facts() {
		return { operation: this.operation.request, items: this.ledger.results.length };
	}

	private log(level: 'debug' | 'info' | 'warn', text: string, facts: object = {}): void {
		this.ctx.logger[level](`${this.name}: ${text}`, { ...this.about, ...facts });
	}

	/** A line for each failed try: one for each try would cost as much as all else that is done here. */
	private logTry({ startedAt, evidence: { status, retryAfter } }: Exchange): void {
		if (status !== undefined && status < 400) return;
		const answer = status === undefined ? 'no answer' : `status ${status}`;
		const asked = retryAfter === undefined ? '' : `, asks to wait ${duration(retryAfter)}`;
		const time = duration(performance.now() - startedAt);
		this.log('debug', `${this.operation.request}: ${answer} after ${time}${asked}`);
	}

	/** This timer of Node.js keeps no process alive, and has nothing left to do once the run has ended. */
	private tellProgressLater(): void {
		const timer = AbortSignal.timeout(progressInterval);
		const onTime = () => {
			this.tellProgress();
			this.tellProgressLater();
		};
		timer.addEventListener('abort', onTime, { once: true, signal: this.ended.signal });
	}

	private tellProgress(): void {
		const { results } = this.ledger;
		const settled = results.filter((itemResults) => itemResults !== undefined).length;
		const { inflight, failedTries, pauseLeft } = this.statistics;
		const failed = failedTriesInWords(failedTries);
		const text = [
			`${counted(settled)} of ${counted(results.length)}`,
			`${inflight} under way`,
			...(failed === '' ? [] : [`failed tries: ${failed}`]),
			...(pauseLeft > 0 ? [`waiting ${duration(pauseLeft)} for ${this.awaitedService}`] : []),
		].join(', ');
		this.log('info', text);
		tellEditor(this.ctx, text);
	}

	/** n8n saves a cancelled execution at this moment: what is under way is in doubt then. */
	private readonly onCancelled = (): void =>
		this.noteReport(this.ledger.resultsNow(this.operation));

	private noteReport(results: Results): void {
		if (isWriting(this.operation)) noteInExecution(this.ctx, this.name, shortReportOf(results));
	}

	/** The report on all items of a cancelled run, of which n8n keeps nothing else. */
	private tellReport(results: Results): void {
		const report = reportOf(this.operation, results, 'log');
		if (report === '') return;
		const text = `the execution was cancelled. ${report}`;
		this.log('warn', text);
		tellEditor(this.ctx, text);
		this.noteReport(results);
	}

	/** Keeps the counts beside the execution, by which n8n can search for those in which something failed. */
	private noteCounts(counts: Counts): void {
		const { context, runIndex } = executionContextOf(this.ctx);
		const ofRuns = (countsByRun.get(context) ?? new Map<number, Counts>()).set(runIndex, counts);
		countsByRun.set(context, ofRuns);
		const total = countsInWords(this.operation, addUp(ofRuns.values()));
		if (isWriting(this.operation) || total.includes('failed'))
			noteInExecution(this.ctx, this.name, total);
	}

	private summaryOf(results: Results, counts: Counts): string {
		const { tries, failedTries, askedToWait, heldUp, signIns, peak, startedAt } = this.statistics;
		const failed = failedTriesInWords(failedTries);
		const why =
			askedToWait > 0 ? `, the service asked to wait ${countOf(askedToWait, 'time')}` : '';
		return [
			`${countOf(results.length, 'item')} in ${duration(performance.now() - startedAt)}`,
			countsInWords(this.operation, counts),
			`${countOf(tries, 'try', 'tries')}${failed === '' ? '' : `, failed: ${failed}`}`,
			`held up for ${duration(heldUp)}${why}`,
			countOf(signIns, 'sign-in'),
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
		if (heldUp > heldUpWorthAHint)
			this.ledger.hint(`This run waited ${duration(heldUp)} for ${this.awaitedService}.`);
		const failed = new Map([...failedTries].filter(([status]) => isServiceFailure(status)));
		const count = [...failed.values()].reduce((sum, one) => sum + one, 0);
		if (count >= failedTriesWorthAHint && count > tries / 10) {
			this.ledger.hint(
				`The service failed or was too busy in ${counted(count)} of ${counted(tries)} tries (${failedTriesInWords(failed)}).`,
			);
		}
	}

	/** To be called when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const cancelled = this.ctx.getExecutionCancelSignal();
		cancelled?.removeEventListener('abort', this.onCancelled);
		this.hintAtDelays();
		const results = this.ledger.resultsNow(this.operation);
		const counts = countsOf(results, this.ledger.begun);
		const { heldUp } = this.statistics;
		const failed = [...this.statistics.failedTries];
		const failedTries = Object.fromEntries(failed.map(([status = 'none', n]) => [status, n]));
		const facts = { ...this.facts, ...counts, failedTries, heldUpMs: Math.round(heldUp) };
		this.log('info', this.summaryOf(results, counts), facts);
		for (const hint of this.ledger.hints) this.log('info', hint);
		if (cancelled?.aborted) this.tellReport(results);
		else this.noteCounts(counts);
	}
}
