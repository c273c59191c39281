// What n8n's log, the editor and a saved execution are told of a run, while it lasts and at its end: numbers, and
// which items; never a value of an item, and nothing of a request.
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import type { Ledger } from './items/ledger';
import { countsInWords, type Rows } from './items/report';
import { executionContextOf, saveToExecution, sendToEditor } from './n8n';
import type { ShownTry } from './send/try';
import type { FailedTries, RunStatistics } from './send/runStatistics';

/** Milliseconds between two lines of progress. */
const progressInterval = 30_000;

/** Milliseconds for which a run may be held up before a hint says so. */
const minHeldUpForHint = 3000;

/** Such as "12 with status 503, 1 without a response"; '' when none failed. */
const failedTriesInWords = (failed: FailedTries): string =>
	[...failed]
		.map(([status, count]) => {
			const how = status === undefined ? 'without a response' : `with status ${status}`;
			return `${formatCount(count)} ${how}`;
		})
		.join(', ');

/** The items of each run of a node in one execution: in a loop it has several. */
const rowsOfRuns = new WeakMap<object, Map<number, Rows>>();

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
		statistics.onTryEnded = (ended) => this.logTry(ended);
		const { signal } = this.ended;
		ctx.getExecutionCancelSignal()?.addEventListener('abort', () => this.saveRows(), { signal });
		const items = pluralize(ledger.results.length, 'item');
		this.log('info', `begins with ${items}: ${operation.route}`, this.facts);
		this.scheduleProgress();
	}

	private get facts() {
		return { operation: this.operation.route, items: this.ledger.results.length };
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
	private logTry({ startedAt, status, retryAfter }: ShownTry): void {
		if (status !== undefined && status < 400) return;
		const answer = status === undefined ? 'no response' : `status ${status}`;
		const asked = retryAfter === undefined ? '' : `, asks to wait ${formatDuration(retryAfter)}`;
		const time = formatDuration(performance.now() - startedAt);
		this.log('debug', `${this.operation.route}: ${answer} after ${time}${asked}`);
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
		const { inFlight, failedTries, pauseLeft } = this.statistics;
		const failed = failedTriesInWords(failedTries);
		return [
			`${formatCount(settled)} of ${formatCount(results.length)}`,
			`${inFlight} in progress`,
			failed && `failed tries: ${failed}`,
			pauseLeft > 0 && `waiting ${formatDuration(pauseLeft)} for the service`,
		]
			.filter(Boolean)
			.join(', ');
	}

	private get isCancelled(): boolean {
		return this.ctx.getExecutionCancelSignal()?.aborted === true;
	}

	/**
	 * Saves what became of the items beside the execution, by which n8n can search for those in which something failed.
	 * Of a cancelled one, to be called also at the moment when n8n saves it: it names the items of the last run.
	 */
	private saveRows(): void {
		const { ctx, name, operation, isCancelled } = this;
		const { rows } = this.ledger;
		const { context, runIndex } = executionContextOf(ctx);
		const ofRuns = rowsOfRuns.get(context) ?? new Map<number, Rows>();
		rowsOfRuns.set(context, ofRuns.set(runIndex, rows));
		const runs = isCancelled ? [rows] : [...ofRuns.values()];
		const counts = countsInWords(operation, runs, isCancelled);
		// A read that was cancelled has changed nothing.
		const hasFailed = counts.includes('failed') && !isCancelled;
		if (isWriting(operation) || hasFailed) saveToExecution(ctx, name, counts);
	}

	/** To be called when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const { ledger, operation, statistics } = this;
		const { tries, failedTries, heldUp, signIns, peak, startedAt } = statistics;
		if (heldUp > minHeldUpForHint)
			ledger.hint(`This run waited ${formatDuration(heldUp)} for the service.`);
		const { rows } = ledger;
		const failed = failedTriesInWords(failedTries);
		const summary = [
			`${pluralize(this.facts.items, 'item')} in ${formatDuration(performance.now() - startedAt)}`,
			countsInWords(operation, [rows]),
			`${pluralize(tries, 'try', 'tries')}${failed && `, failed: ${failed}`}`,
			`held up for ${formatDuration(heldUp)}`,
			pluralize(signIns, 'sign-in'),
			`at most ${peak} at once`,
		];
		this.log('info', summary.join('; '), {
			...this.facts,
			...Object.fromEntries(Object.entries(rows).map(([end, items]) => [end, items.length])),
			failedTries: Object.fromEntries([...failedTries].map(([status = 'none', n]) => [status, n])),
			heldUpMs: Math.round(heldUp),
		});
		for (const hint of ledger.hints) this.log('info', hint);
		this.saveRows();
		const report = this.isCancelled ? ledger.reportOf(operation, 'log') : '';
		if (report !== '') this.tell('warn', `the execution was cancelled. ${report}`);
	}
}
