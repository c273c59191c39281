// Reports a run to n8n's log and to its saved execution, while it lasts and at its end: counts and item numbers, never
// an item's values, and only the route of a request. docs/security.md lists the lines.
import { isWriting } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import { isEmpty, truncate } from './http/json';
import type { Ledger } from './items/ledger';
import * as report from './items/report';
import { executionContextOf, saveToExecution } from './n8n';
import type { SendingRun } from './send/sendingRun';

/** Milliseconds between two progress lines. */
export const progressInterval = 30_000;

/** Milliseconds: a run that was held up for longer gets a hint. */
const minHeldUpForHint = 3000;

/** n8n keeps 512 characters, but its log has an error for each value of more than 255 (n8n-core 2.41). */
export const maxEntryBytes = 250;

/** The entry so far, in a context that all runs of an execution share: the sum of all but the latest, and that one. */
type SharedEntry = { agencyRecordsEntry?: { latest: string; runs: report.EndedRuns[] } };

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
		const onTime = () => {
			this.log('info', this.progress);
			this.scheduleProgress();
		};
		const { signal } = this.ended;
		AbortSignal.timeout(progressInterval).addEventListener('abort', onTime, { signal });
	}

	private get progress(): string {
		const { items, account } = this.ledger;
		const settled = items.filter((one) => (one.results && !one.isInterim) ?? one.checked);
		const { tries, failedTries, heldUp, startedAt } = this.run;
		const whose = account === undefined ? '' : `as ${account}; `;
		const done = `${formatCount(settled.length)} of ${pluralize(items.length, 'item')}`;
		const failed = [...failedTries].map(([how, count]) => `${formatCount(count)} ${how}`);
		const sent = [pluralize(tries, 'try', 'tries'), failed.join(', ')].filter(Boolean);
		const [time, heldUpFor] = [performance.now() - startedAt, heldUp].map(formatDuration);
		return `${whose}${done} in ${time}; ${sent.join(', failed: ')}; held up for ${heldUpFor}`;
	}

	/**
	 * Saves the counts of the execution's runs with it, where n8n can search for them. All runs of all nodes share one
	 * entry, because n8n keeps only the first ten entries (n8n-core 2.41, execution-metadata.ts). If the execution is
	 * cancelled, this must also be called at that moment, because n8n saves it then.
	 */
	private saveEntry(): void {
		const { ctx, items, account, losses, cancelled } = this.ledger;
		const { operation } = this.run;
		const { context, runIndex } = executionContextOf<SharedEntry>(ctx, 'flow');
		const { latest, runs = [] } = context.agencyRecordsEntry ?? {};
		const name = runIndex > 0 ? `${this.name} (run ${runIndex + 1})` : this.name;
		// A try replaces earlier ones of the same run.
		const others = latest === name ? runs.slice(0, -1) : runs;
		const counts = report.countsOf(items);
		if (!isWriting(operation)) {
			delete counts.sent;
			// A cancelled read has changed nothing.
			if (cancelled?.aborted || (isEmpty(counts) && others === runs)) return;
		}
		const hasFailed = Object.keys(counts).some(report.isFailed);
		const failures = hasFailed ? [`${name}: ${report.countsInWords(operation, items)}`] : [];
		const run = { accounts: [account ?? []].flat(), counts, losses: [...losses], failures };
		const all = [...(others.length > 0 ? [report.sumOf(others)] : []), run];
		context.agencyRecordsEntry = { latest: name, runs: all };
		saveToExecution(ctx, truncate(report.entryOf(all), maxEntryBytes));
	}

	/** Call this when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const { ledger } = this;
		const { heldUp, operation } = this.run;
		if (heldUp > minHeldUpForHint)
			ledger.hint(`This run waited ${formatDuration(heldUp)} for the service.`);
		ledger.hint(report.sameIdHint(operation, ledger.items), 'several rows got the same ID');
		const ending = [this.progress, report.countsInWords(operation, ledger.items), ...ledger.losses];
		this.log('info', ending.join('; '));
		this.saveEntry();
		const rows = ledger.cancelled?.aborted ? report.reportOf(operation, ledger.items, true) : '';
		if (rows !== '') this.log('warn', `the execution was cancelled. ${rows}`);
	}
}
