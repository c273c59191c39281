// What a measuring process gets to do, and what it returns.
import type { CpuShares } from './cpuProfile.mts';

export type Workload = 'create' | 'expressions' | 'patches' | 'list' | 'upload';

export interface MeasurementTask {
	workload: Workload;
	variant: string;
	url: string;
	items: number;
	/** Whether the account has just done the same work, so that what it learned of the service is still known. */
	isSecondRun?: boolean;
	/** The paths of the files that an upload sends; `small` is sent while warming up. */
	files?: { measured: string; small: string };
	/** Whether to profile where the processor's time goes. */
	profile?: boolean;
}

/** What the work used. */
export interface ResourceUsage {
	milliseconds: number;
	/** Processor time in milliseconds, user and system. */
	cpu: number;
	/** Peak memory beyond what the process had before. */
	megabytes: number;
	/** The longest time the event loop was blocked, in milliseconds. */
	stall: number;
}

export interface Measurement extends ResourceUsage {
	/** How many items gave no output, or an error. */
	failed: number;
	shares?: CpuShares;
}

/**
 * Work that is ready to begin.
 * @returns how many items did not succeed
 */
export type PreparedWork = () => Promise<number>;

/** Does the work of a task as one variant. */
export interface Client {
	/**
	 * @param account the account that is measured, or another one for warming up
	 * @param file the path of the file that each item uploads, if the workload is an upload
	 */
	prepare: (account: 'measured' | 'other', count: number, file?: string) => Promise<PreparedWork>;
	/** Signs the measured account in, since in an n8n that has been running it is signed in already. */
	signIn: () => Promise<void>;
}
