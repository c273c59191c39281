// The part of the service that lists vendors, which are edited all the time.
import type { IHttpRequestOptions } from 'n8n-workflow';

import { SimulatedService } from './service.cts';

interface Vendor {
	id: number;
	name: string;
}

interface Query {
	limit?: number;
	offset?: number;
}

/** What is replaced is removed while another one is added: their count stays. */
export type Edit = 'add' | 'change' | 'remove' | 'replace';

export class Vendors extends SimulatedService {
	private vendors: Vendor[] = [];

	private edits = 0;

	/** Whether the next list comes without its rows, and says that there are none. */
	sendsNoRows = false;

	/** By ID: the names of the vendors that are there. */
	get names(): Map<number, string> {
		return new Map(this.vendors.map(({ id, name }) => [id, name]));
	}

	/** @param which of the vendors, as a share of all */
	edit(edit: Edit, which: number): void {
		if (edit === 'replace') {
			this.edit('remove', which);
			this.edit('add', which);
			return;
		}
		const id = ++this.edits;
		const name = `edit ${id}`;
		const at = Math.floor(which * this.vendors.length);
		if (edit === 'add') this.vendors = [...this.vendors, { id, name }];
		else if (edit === 'remove') this.vendors = this.vendors.filter((_, index) => index !== at);
		else
			this.vendors = this.vendors.map((vendor, index) =>
				index === at ? { ...vendor, name } : vendor,
			);
	}

	protected override perform({ qs }: IHttpRequestOptions): [number, object] {
		const { limit = 100, offset = 0 } = qs as Query;
		if (this.sendsNoRows && offset === 0) {
			this.sendsNoRows = false;
			return [200, { totalRows: 0, vendors: [] }];
		}
		const page = this.vendors.slice(offset, offset + limit);
		const vendors = page.map(({ id, name }, index) => ({
			rowNum: offset + index + 1,
			departmentBusinessID: id,
			name,
		}));
		return [200, { totalRows: this.vendors.length, vendors }];
	}
}
