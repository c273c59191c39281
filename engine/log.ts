// Tells n8n's log and the saved execution of a run, while it lasts and at its end: numbers, and which items; never a
// value of an item, and of a request its route alone. docs/security.md lists the lines.
import { isWriting } from './area';
import { formatCount, pluralize, formatDuration } from './http/format';
import type { Ledger } from './items/ledger';
import { countsInWords, reportOf } from './items/report';
import { executionContextOf, saveToExecution } from './n8n';
import type { SendingRun } from './send/sendingRun';

/** Milliseconds between two lines of progress. */
const progressInterval = 30_000;

/** Milliseconds. If a run is held up for longer, a hint says so. */
const minHeldUpForHint = 3000;

/** The most characters of a node's name beside an execution. */
const maxNameCharacters = 50;

/** By run, in the order in which they ended: what failed. */
type Failures = { agencyRecordsFailures?: Record<string, string> };

export class RunLog {
	private readonly name = this.ledger.ctx.getNode().name;

	private readonly ended = new AbortController();

	/** To be called when the run begins. */
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

	/** This timer of Node.js keeps no process alive, and has nothing left to do once the run has ended. */
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

	/** A published workflow whose 'Check Only' was left on sends nothing, and nobody looks at its hints. */
	private get counts(): string {
		const { items, ctx } = this.ledger;
		const isLeftOn = ctx.getMode() !== 'manual' && items.every(({ checked }) => checked);
		return isLeftOn ? 'only checked, nothing sent' : countsInWords(this.run.operation, items);
	}

	/**
	 * Saves which items failed beside the execution, by which n8n can search for it. All runs of all nodes share one
	 * entry, the latest first, since n8n keeps ten entries and drops all later ones. Of a cancelled execution, to be called
	 * also at the moment when n8n saves it.
	 */
	private saveFailures(): void {
		const { name, ledger } = this;
		const { ctx } = ledger;
		const { operation } = this.run;
		const { context, runIndex } = executionContextOf<Failures>(ctx, 'flow');
		const { agencyRecordsFailures: failures = {} } = context;
		const run = `${runIndex} ${name}`;
		const { counts } = this;
		// A read that was cancelled has changed nothing.
		const hasFailed =
			/failed|other values|nothing sent/.test(counts) &&
			(isWriting(operation) || !ledger.cancelled?.aborted);
		if (!hasFailed && !(run in failures)) return;
		// What stood there of an earlier try of the run counts no more.
		delete failures[run];
		if (hasFailed) failures[run] = `${name.slice(0, maxNameCharacters)}: ${counts}`;
		context.agencyRecordsFailures = failures;
		saveToExecution(ctx, Object.values(failures).reverse().join('; '));
	}

	/** To be called when the run has ended, before its hints are shown. */
	end(): void {
		this.ended.abort();
		const { ledger } = this;
		const { heldUp, operation } = this.run;
		if (heldUp > minHeldUpForHint)
			ledger.hint(`This run waited ${formatDuration(heldUp)} for the service.`);
		this.log('info', `${this.progress}; ${this.counts}`);
		this.saveFailures();
		const report = ledger.cancelled?.aborted ? reportOf(operation, ledger.items, 'log') : '';
		if (report !== '') this.log('warn', `the execution was cancelled. ${report}`);
	}
}
