// The part of the service that lists vendors, which are edited all the time.
import type { IHttpRequestOptions } from 'n8n-workflow';

import { SimulatedService } from './service';

interface Vendor {
	id: number;
	name: string;
	/** By the service's clock. */
	changedAt: number;
}

interface Query {
	limit?: number;
	offset?: number;
	changesSince?: string;
}

/** What is replaced is removed while another one is added: their count stays. */
export type Edit = 'add' | 'change' | 'remove' | 'replace';

export class Vendors extends SimulatedService {
	private vendors: Vendor[] = [];

	private edits = 0;

	/** Whether the next list comes without its rows, and says that there are none. */
	sendsNoRows = false;

	/** Whether rows come without their IDs. */
	omitsIds = false;

	/** By ID: the names of the vendors that are there. */
	get names(): Map<number, string> {
		return new Map(this.vendors.map(({ id, name }) => [id, name]));
	}

	/** The names of the vendors that have not changed since a time, by the service's clock. */
	namesUnchangedSince(time: number): string[] {
		return this.vendors.filter(({ changedAt }) => changedAt < time).map(({ name }) => name);
	}

	/** @param which of the vendors, as a share of all */
	edit(edit: Edit, which: number): void {
		if (edit === 'replace') {
			this.edit('remove', which);
			this.edit('add', which);
			return;
		}
		const id = ++this.edits;
		const edited = { name: `edit ${id}`, changedAt: this.world.wallClock };
		const at = Math.floor(which * this.vendors.length);
		if (edit === 'add') this.vendors = [...this.vendors, { id, ...edited }];
		else if (edit === 'remove') this.vendors = this.vendors.filter((_, index) => index !== at);
		else
			this.vendors = this.vendors.map((vendor, index) =>
				index === at ? { ...vendor, ...edited } : vendor,
			);
	}

	protected override perform({ qs }: IHttpRequestOptions): [number, object] {
		const { limit = 100, offset = 0, changesSince } = qs as Query;
		const since = changesSince === undefined ? -Infinity : Date.parse(changesSince);
		const rows = this.vendors.filter(({ changedAt }) => changedAt >= since);
		if (this.sendsNoRows && offset === 0) {
			this.sendsNoRows = false;
			return [200, { totalRows: 0, vendors: [] }];
		}
		const page = rows.slice(offset, offset + limit);
		const vendors = page.map(({ id, name }, index) => ({
			rowNum: offset + index + 1,
			...(!this.omitsIds && { departmentBusinessID: id }),
			name,
		}));
		return [200, { totalRows: rows.length, vendors }];
	}
}
