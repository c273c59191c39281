// The part of the service that creates shift schedules: it counts them by name.
import type { IHttpRequestOptions } from 'n8n-workflow';

import { SimulatedService } from './service';

const nameIn = ({ body }: IHttpRequestOptions): string =>
	(JSON.parse(body as unknown as string) as { name: string }).name;

export class ShiftSchedules extends SimulatedService {
	/** By name, who created it: an entry for each time. */
	readonly creators = new Map<string, object[]>();

	count(name: string): number {
		return this.creators.get(name)?.length ?? 0;
	}

	isWorkingOn(name: string): boolean {
		return [...this.working].some((request) => nameIn(request) === name);
	}

	protected override perform(request: IHttpRequestOptions, execution: object): [number, object] {
		const name = nameIn(request);
		this.creators.set(name, [...(this.creators.get(name) ?? []), execution]);
		return [201, { shiftScheduleID: this.creators.size }];
	}
}
