// The part of the service that creates shift schedules: it counts them by name.
import type { IHttpRequestOptions } from 'n8n-workflow';

import { SimulatedService } from './service.cts';

const nameIn = ({ body }: IHttpRequestOptions): string =>
	(JSON.parse(body as unknown as string) as { name: string }).name;

/** Who created a shift schedule, and when. */
export interface Creation {
	by: object;
	at: number;
}

export class ShiftSchedules extends SimulatedService {
	/** By name: an entry for each time. */
	readonly creations = new Map<string, Creation[]>();

	count(name: string): number {
		return this.creations.get(name)?.length ?? 0;
	}

	isWorkingOn(name: string): boolean {
		return [...this.working].some((request) => nameIn(request) === name);
	}

	protected override perform(request: IHttpRequestOptions, execution: object): [number, object] {
		const name = nameIn(request);
		const creation = { by: execution, at: this.world.now };
		this.creations.set(name, [...(this.creations.get(name) ?? []), creation]);
		return [201, { shiftScheduleID: this.creations.size }];
	}
}
