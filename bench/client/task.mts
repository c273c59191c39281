// What a measuring process is told, and what it tells.
import type { Shares } from './profile.mts';

export type Kind = 'create' | 'expressions' | 'patches' | 'list' | 'upload';

export interface Task {
	kind: Kind;
	way: string;
	url: string;
	items: number;
	/** Whether the account has just done the same before: what was learned of the service is still known. */
	again?: boolean;
	/** What an upload sends; `small` while warming up. */
	files?: { measured: string; small: string };
	/** Whether to find out where the time goes. */
	profile?: boolean;
}

/** What work took. */
export interface Figures {
	milliseconds: number;
	/** Milliseconds of the processor, user and system. */
	cpu: number;
	/** Memory beyond what it had before, at its peak. */
	megabytes: number;
	/** Longest time the event loop stood still, in milliseconds. */
	stall: number;
}

export interface Taken extends Figures {
	/** Items that gave nothing, or an error. */
	failed: number;
	shares?: Shares;
}

/** Work that is ready to begin. @returns how many items did not succeed */
export type Work = () => Promise<number>;

/** Does the work of a task in one way. */
export interface Client {
	/**
	 * @param account the one that is measured, or another one
	 * @param file what each item uploads, if it does
	 */
	ready: (account: 'measured' | 'other', count: number, file?: string) => Promise<Work>;
	/** Signs the measured account in, as it is in an n8n that has been running. */
	signIn: () => Promise<void>;
}
