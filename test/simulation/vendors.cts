// The part of the service that lists vendors, which are edited all the time, and a cache in front of it.
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

/** Replacing removes one vendor and adds another, so that their count stays. */
export type Edit = 'add' | 'change' | 'remove' | 'replace';

/** A period in which lists have only their first rows, and claim that there are no others. */
export interface Shortage {
	from: number;
	until: number;
	/** The number of rows that are still sent. */
	rows: number;
}

export class Vendors extends SimulatedService {
	private vendors: Vendor[] = [];

	private edits = 0;

	/** IDs of vendors that are never removed, and change whenever changeBusy() is called. */
	private readonly busy = new Set<number>();

	/** By ID: all names that a vendor has had. */
	readonly namesEver = new Map<number, Set<string>>();

	shortages: readonly Shortage[] = [];

	/** Milliseconds during which the cache returns its content, whatever the request's headers. */
	cachedFor = 0;

	/** By query. */
	private readonly cache = new Map<string, { at: number; response: [number, object] }>();

	/** By ID: the names of the vendors that are there. */
	get names(): Map<number, string> {
		return new Map(this.vendors.map(({ id, name }) => [id, name]));
	}

	isBusy(id: number): boolean {
		return this.busy.has(id);
	}

	/** @param count the number of additional vendors that keep changing */
	addBusy(count: number): void {
		for (let added = 0; added < count; added++) {
			this.edit('add', 0);
			this.busy.add(this.edits);
		}
	}

	changeBusy(): void {
		for (const id of this.busy) this.rename(id);
	}

	/** @param which of the vendors that are not busy, as a share of all */
	edit(edit: Edit, which: number): void {
		if (edit === 'replace') {
			this.edit('remove', which);
			this.edit('add', which);
			return;
		}
		const others = this.vendors.filter(({ id }) => !this.busy.has(id));
		const chosen = others[Math.floor(which * others.length)]?.id;
		if (edit === 'add') {
			const id = ++this.edits;
			this.vendors = [...this.vendors, { id, name: '' }];
			this.rename(id, id);
		} else if (edit === 'remove') this.vendors = this.vendors.filter(({ id }) => id !== chosen);
		else if (chosen !== undefined) this.rename(chosen);
	}

	private rename(renamed: number, edit = ++this.edits): void {
		const name = `edit ${edit}`;
		this.vendors = this.vendors.map((vendor) =>
			vendor.id === renamed ? { ...vendor, name } : vendor,
		);
		this.namesEver.set(renamed, (this.namesEver.get(renamed) ?? new Set()).add(name));
	}

	/** The rows that lists have now. */
	private get shown(): Vendor[] {
		const { now } = this.world;
		const shortage = this.shortages.find(({ from, until }) => from <= now && now < until);
		return this.vendors.slice(0, shortage?.rows);
	}

	/** Any read puts the page into the cache. */
	read({ limit = 100, offset = 0 }: Query): [number, object] {
		const { cache, cachedFor, shown } = this;
		const { now } = this.world;
		const query = `${limit} ${offset}`;
		const cached = cache.get(query);
		if (cached && now - cached.at < cachedFor) return cached.response;
		const vendors = shown.slice(offset, offset + limit).map(({ id, name }, index) => ({
			rowNum: offset + index + 1,
			departmentBusinessID: id,
			name,
		}));
		const response: [number, object] = [200, { totalRows: shown.length, vendors }];
		cache.set(query, { at: now, response });
		return response;
	}

	protected override perform({ qs }: IHttpRequestOptions): [number, object] {
		return this.read(qs as Query);
	}
}
