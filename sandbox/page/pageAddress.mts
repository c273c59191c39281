// What somebody looks at, as the query of the page's address says.
import { titleOfKind } from './recordKinds.mts';

export interface PageQuery {
	kind: string;
	/** How many records are skipped. */
	offset: number;
	/** The ID of the record that is being edited, or `new` for one that is being added. */
	record?: number | 'new';
	/** The number of the request that is open. */
	request?: number;
}

const wholeNumber = (text: string | null): number | undefined =>
	text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** What cannot be read counts as not given. */
export function readPageQuery(query: URLSearchParams): PageQuery {
	const kind = query.get('records') ?? '';
	const record = query.get('record');
	return {
		kind: titleOfKind(kind) === undefined ? 'vendor' : kind,
		offset: wholeNumber(query.get('offset')) ?? 0,
		record: record === 'new' ? record : wholeNumber(record),
		request: wholeNumber(query.get('request')),
	};
}

/** @param part the ID of the element that the address leads to */
export function pageAddress(view: PageQuery, part: string): string {
	const { kind, offset, record, request } = view;
	const given = { offset: offset || undefined, record, request };
	const query = new URLSearchParams({ records: kind });
	for (const [name, value] of Object.entries(given)) {
		if (value !== undefined) query.set(name, String(value));
	}
	return `/?${query.toString()}#${part}`;
}
