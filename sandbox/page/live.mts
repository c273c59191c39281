// Tells open pages what has changed, over server-sent events.
import type { ServerResponse } from 'node:http';

import { partsOf, type Part } from './parts.mts';
import type { Room } from './room.mts';
import type { View } from './view.mts';

/** Milliseconds between two messages, at least. */
const shortestPause = 250;
/** Rendering takes this part of the time at most, however much the books hold. */
const share = 0.1;
/** Open pages. */
export const mostFollowers = 20;

interface Follower {
	view: View;
	response: ServerResponse;
	/** State of each part as it was last sent. */
	sent: Map<string, string>;
}

function send({ response, sent }: Follower, parts: Record<string, Part>): void {
	const changed = Object.entries(parts).filter(([name, { state }]) => sent.get(name) !== state);
	if (changed.length === 0) return;
	for (const [name, { state }] of changed) sent.set(name, state);
	const texts = changed.map(([name, { content }]) => [name, content.text]);
	response.write(`data: ${JSON.stringify(Object.fromEntries(texts))}\n\n`);
}

export class Live {
	private readonly room: Room;
	private readonly followers = new Set<Follower>();
	private timer: NodeJS.Timeout | undefined;
	private pause = shortestPause;

	constructor(room: Room) {
		this.room = room;
		room.journal.on('change', () => this.changed());
	}

	/** Something may be different now. */
	changed(): void {
		if (this.followers.size === 0) return;
		this.timer ??= setTimeout(() => this.tell(), this.pause).unref();
	}

	private tell(): void {
		this.timer = undefined;
		const began = performance.now();
		for (const follower of this.followers) {
			// One that does not keep up gets what is true once it has read the last.
			if (!follower.response.writableNeedDrain) send(follower, partsOf(this.room, follower.view));
		}
		this.pause = Math.max(shortestPause, (performance.now() - began) / share);
	}

	/** @returns false when there are too many open pages already */
	follow(view: View, response: ServerResponse): boolean {
		if (this.followers.size >= mostFollowers) return false;
		const follower = { view, response, sent: new Map<string, string>() };
		response.writeHead(200, { ...response.getHeaders(), 'Content-Type': 'text/event-stream' });
		response.on('drain', () => this.changed());
		response.on('close', () => this.followers.delete(follower));
		this.followers.add(follower);
		send(follower, partsOf(this.room, view));
		return true;
	}
}
