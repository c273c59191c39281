// Sends open pages what has changed, over server-sent events.
import type { ServerResponse } from 'node:http';

import { liveParts, type LivePart } from './liveParts.mts';
import type { SandboxState } from './sandboxState.mts';
import type { PageQuery } from './pageAddress.mts';

/** Milliseconds. */
const minPause = 250;
/** Rendering takes at most this share of the time, however many records there are. */
const maxShare = 0.1;
const maxOpenPages = 20;

interface OpenPage {
	view: PageQuery;
	response: ServerResponse;
	/** The state of each part when it was last sent. */
	sent: Map<string, string>;
}

function send({ response, sent }: OpenPage, parts: Record<string, LivePart>): void {
	const changed = Object.entries(parts).filter(([name, { state }]) => sent.get(name) !== state);
	if (changed.length === 0) return;
	for (const [name, { state }] of changed) sent.set(name, state);
	const texts = changed.map(([name, { content }]) => [name, content.text]);
	response.write(`data: ${JSON.stringify(Object.fromEntries(texts))}\n\n`);
}

export class LiveUpdates {
	private readonly state: SandboxState;
	private readonly pages = new Set<OpenPage>();
	private timer: NodeJS.Timeout | undefined;
	private pause = minPause;

	constructor(state: SandboxState) {
		this.state = state;
		state.requestLog.on('change', () => this.changed());
	}

	/** To be called when something may have changed. */
	changed(): void {
		if (this.pages.size === 0) return;
		this.timer ??= setTimeout(() => this.tell(), this.pause).unref();
	}

	private tell(): void {
		this.timer = undefined;
		const began = performance.now();
		for (const follower of this.pages) {
			// A page that is slow to read gets the newest state once it has read the last message.
			if (!follower.response.writableNeedDrain)
				send(follower, liveParts(this.state, follower.view));
		}
		this.pause = Math.max(minPause, (performance.now() - began) / maxShare);
	}

	/** @returns false when there are too many open pages already */
	open(view: PageQuery, response: ServerResponse): boolean {
		if (this.pages.size >= maxOpenPages) return false;
		const follower = { view, response, sent: new Map<string, string>() };
		response.writeHead(200, { ...response.getHeaders(), 'Content-Type': 'text/event-stream' });
		response.on('drain', () => this.changed());
		response.on('close', () => this.pages.delete(follower));
		this.pages.add(follower);
		send(follower, liveParts(this.state, view));
		return true;
	}
}
