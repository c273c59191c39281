// Reports a run to n8n's log and to its saved execution, while it lasts and at its end: counts and item numbers, never
// an item's values, and only the route of a request. docs/security.md lists the lines.
import { isWriting } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import type { Ledger } from './items/ledger';
import { countsInWords, reportOf } from './items/report';
import { executionContextOf, saveToExecution } from './n8n';
import type { SendingRun } from './send/sendingRun';

/** Milliseconds between two progress lines. */
const progressInterval = 30_000;

/** Milliseconds: a run that was held up for longer gets a hint. */
const minHeldUpForHint = 3000;

/** Maximum length of a node's name in the text saved with an execution. */
const maxNameCharacters = 50;

/** The counts of each run with failures, in the order in which the runs ended. */
type Failures = { agencyRecordsFailures?: Record<string, string> };

export class RunLog {
	private readonly name = this.ledger.ctx.getNode().name;

	private readonly ended = new AbortController();

	/** Call this when the run begins. */
	constructor(
		private readonly ledger: Ledger,
		private readonly run: SendingRun,
	) {
		const { signal } = this.ended;
		ledger.cancelled?.addEventListener('abort', () => this.saveFailures(), { signal });
		const items = pluralize(ledger.items.length, 'item');
		this.log('info', `begins with ${items}: ${run.operation.route}`);
		this.scheduleProgress();
	}

	private log(level: 'info' | 'warn', text: string): void {
		const { ctx } = this.ledger;
		const ids = { executionId: ctx.getExecutionId(), workflowId: ctx.getWorkflow().id };
		ctx.logger[level](`${this.name}: ${text}`, ids);
	}

	/**
	 * AbortSignal.timeout() does not keep the process alive (Node.js unrefs its timer), and it does nothing once the run
	 * has ended.
	 */
	private scheduleProgress(): void {
		const timer = AbortSignal.timeout(progressInterval);
		const onTime = () => {
			this.log('info', this.progress);
			this.scheduleProgress();
		};
		timer.addEventListener('abort', onTime, { once: true, signal: this.ended.signal });
	}

	private get progress(): string {
		const { items, account } = this.ledger;
		const settled = items.filter((one) => (one.results && !one.isInterim) ?? one.checked);
		const { tries, failedTries, heldUp, startedAt } = this.run;
		const failed = [...failedTries]
			.map(([status, count]) => {
				const how = status === undefined ? 'without a response' : `with status ${status}`;
				return `${formatCount(count)} ${how}`;
			})
			.join(', ');
		return [
			...(account === undefined ? [] : [`as ${account}`]),
			`${formatCount(settled.length)} of ${pluralize(items.length, 'item')} in ${formatDuration(performance.now() - startedAt)}`,
			`${pluralize(tries, 'try', 'tries')}${failed && `, failed: ${failed}`}`,
			`held up for ${formatDuration(heldUp)}`,
		].join('; ');
	}

	/**
	 * If a run had failures, saves its counts with the execution, where n8n can search for them. All runs of all nodes
	 * share one entry, the latest run first, because n8n keeps only the first ten entries (n8n-core 2.41,
	 * execution-metadata.ts). If the execution is cancelled, this must also be called at that moment, because n8n saves it
	 * then.
	 */
	private saveFailures(): void {
		const { name, ledger } = this;
		const { ctx } = ledger;
		const { operation } = this.run;
		const { context, runIndex } = executionContextOf<Failures>(ctx, 'flow');
		const { agencyRecordsFailures: failures = {} } = context;
		const run = `${runIndex} ${name}`;
		const counts = countsInWords(operation, ledger.items);
		// If 'Check Only' was left on in a published workflow, nobody sees its hints. A cancelled read has changed nothing.
		const hasFailed =
			/failed|other values|only checked/.test(counts) &&
			(isWriting(operation) || !ledger.cancelled?.aborted);
		if (!hasFailed && !(run in failures)) return;
		// This replaces the entry of an earlier try of the same run.
		delete failures[run];
		if (hasFailed) failures[run] = `${name.slice(0, maxNameCharacters)}: ${counts}`;
		context.agencyRecordsFailures = failures;
		saveToExecution(ctx, Object.values(failures).reverse().join('; '));
	}

	/** Call this when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const { ledger } = this;
		const { heldUp, operation } = this.run;
		if (heldUp > minHeldUpForHint)
			ledger.hint(`This run waited ${formatDuration(heldUp)} for the service.`);
		this.log('info', `${this.progress}; ${countsInWords(operation, ledger.items)}`);
		this.saveFailures();
		const report = ledger.cancelled?.aborted ? reportOf(operation, ledger.items, true) : '';
		if (report !== '') this.log('warn', `the execution was cancelled. ${report}`);
	}
}
