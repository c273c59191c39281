// Sends the changing parts of the page to open browsers over server-sent events.
import type { ServerResponse } from 'node:http';

import type { Accounts } from '../accounts.mts';
import type { Dialects } from '../dialects.mts';
import type { Faults } from '../faults.mts';
import type { RecordStore } from '../recordStore.mts';
import type { RequestLog } from '../requestLog.mts';
import type { Html } from './html.mts';
import { kindsPart, recordsPart } from './records.mts';
import { dialectsPart, planPart, strikeParts } from './rehearsal.mts';
import { openRequestPart, requestsPart } from './requests.mts';
import type { View } from './view.mts';

/** The state that the page shows and changes. */
export interface SandboxState {
	records: RecordStore;
	accounts: Accounts;
	/** Changed in place. */
	dialects: Dialects;
	faults: Faults;
	requestLog: RequestLog;
}

/** The parts by name, the value of `data-live` on the page. */
const partsOf = (
	{ records, dialects, faults, requestLog }: SandboxState,
	view: View,
): Record<string, Html> => ({
	requests: requestsPart(requestLog, view),
	request: openRequestPart(requestLog, view),
	plan: planPart(faults),
	...strikeParts(faults),
	dialects: dialectsPart(dialects),
	kinds: kindsPart(records, view),
	records: recordsPart(records, view),
});

/** Milliseconds between two updates. */
const pause = 250;

interface OpenPage {
	view: View;
	response: ServerResponse;
	/** The state that each part depended on when it was last sent. */
	sent: Map<string, string>;
}

export class LiveUpdates {
	private readonly state: SandboxState;
	private readonly pages = new Set<OpenPage>();
	private timer: NodeJS.Timeout | undefined;

	constructor(state: SandboxState) {
		this.state = state;
		state.requestLog.on('change', () => this.changed());
	}

	/** To be called when something may have changed. */
	changed(): void {
		if (this.pages.size === 0) return;
		this.timer ??= setTimeout(() => this.update(), pause).unref();
	}

	private update(): void {
		this.timer = undefined;
		for (const page of this.pages) {
			// A slow reader gets the newest state once it has read the last message.
			if (!page.response.writableNeedDrain) this.send(page);
		}
	}

	private send({ view, response, sent }: OpenPage): void {
		const changed = Object.entries(partsOf(this.state, view)).filter(([name, { text }]) => {
			// A new strike does not replace the form: strikes are separate parts.
			const dependsOn = name === 'plan' ? JSON.stringify(this.state.faults.rules) : text;
			const isSent = sent.get(name) === dependsOn;
			sent.set(name, dependsOn);
			return !isSent;
		});
		if (changed.length === 0) return;
		const texts = Object.fromEntries(changed.map(([name, { text }]) => [name, text]));
		response.write(`data: ${JSON.stringify(texts)}\n\n`);
	}

	open(view: View, response: ServerResponse): void {
		const page = { view, response, sent: new Map<string, string>() };
		response.writeHead(200, { ...response.getHeaders(), 'Content-Type': 'text/event-stream' });
		response.on('drain', () => this.changed());
		response.on('close', () => this.pages.delete(page));
		this.pages.add(page);
		this.send(page);
	}
}
