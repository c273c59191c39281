// Reports a run to n8n's log and to its saved execution, while it lasts and at its end: counts and item numbers, never
// an item's values, and only the route of a request. docs/security.md lists the lines.
import { isWriting } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import { truncate } from './http/json';
import type { Ledger } from './items/ledger';
import {
	countsInWords,
	countsOf,
	entryOf,
	isFailed,
	reportOf,
	sameIdHint,
	type EndedRun,
} from './items/report';
import { executionContextOf, saveToExecution } from './n8n';
import type { SendingRun } from './send/sendingRun';

/** Milliseconds between two progress lines. */
const progressInterval = 30_000;

/** Milliseconds: a run that was held up for longer gets a hint. */
const minHeldUpForHint = 3000;

/** n8n keeps 512 characters, but its log has an error for each value of more than 255 (n8n-core 2.41). */
const maxEntryBytes = 250;

/** Maximum length of a node's name in the text saved with an execution. */
const maxNameCharacters = 50;

/** What each run of an execution left, by index and node, in the order in which the runs ended. */
type Shared = { agencyRecordsRuns?: Record<string, EndedRun> };

export class RunLog {
	private readonly name = this.ledger.ctx.getNode().name;

	private readonly ended = new AbortController();

	/** Call this when the run begins. */
	constructor(
		private readonly ledger: Ledger,
		private readonly run: SendingRun,
	) {
		const { signal } = this.ended;
		ledger.cancelled?.addEventListener('abort', () => this.saveEntry(), { signal });
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
	 * Saves the counts of the execution's runs with it, where n8n can search for them. All runs of all nodes share one
	 * entry, because n8n keeps only the first ten entries (n8n-core 2.41, execution-metadata.ts). If the execution is
	 * cancelled, this must also be called at that moment, because n8n saves it then.
	 */
	private saveEntry(): void {
		const { name, ledger } = this;
		const { ctx, items, account, losses, cancelled } = ledger;
		const { operation } = this.run;
		const { context, runIndex } = executionContextOf<Shared>(ctx, 'flow');
		const runs = (context.agencyRecordsRuns ??= {});
		const run = `${runIndex} ${name}`;
		const counts = countsOf(items);
		const hasFailed = Object.keys(counts).some(isFailed);
		if (!isWriting(operation)) {
			// A cancelled read has changed nothing. One that succeeds may replace an earlier try.
			if (cancelled?.aborted || !(hasFailed || run in runs)) return;
			delete counts.sent;
		}
		const failed = hasFailed
			? `${name.slice(0, maxNameCharacters)}: ${countsInWords(operation, items)}`
			: undefined;
		// The latest run is the last one; it replaces an earlier try.
		delete runs[run];
		runs[run] = { account, counts, failed, losses: [...losses] };
		saveToExecution(ctx, truncate(entryOf(Object.values(runs)), maxEntryBytes));
	}

	/** Call this when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const { ledger } = this;
		const { heldUp, operation } = this.run;
		if (heldUp > minHeldUpForHint)
			ledger.hint(`This run waited ${formatDuration(heldUp)} for the service.`);
		ledger.hint(sameIdHint(operation, ledger.items), 'several rows got the same ID');
		const ending = [this.progress, countsInWords(operation, ledger.items), ...ledger.losses];
		this.log('info', ending.join('; '));
		this.saveEntry();
		const report = ledger.cancelled?.aborted ? reportOf(operation, ledger.items, true) : '';
		if (report !== '') this.log('warn', `the execution was cancelled. ${report}`);
	}
}
