// What of the records somebody looks at, as the page's address says it.
import { titleOfKind } from './recordKinds.mts';

export interface PageQuery {
	kind: string;
	/** How many records are skipped. */
	offset: number;
	/** The record on the form, or that a new one is to be made. */
	record?: number | 'new';
}

const wholeNumber = (text: string | null): number | undefined =>
	text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** @param query of the address; what cannot be read counts as not given */
export function readPageQuery(query: URLSearchParams): PageQuery {
	const kind = query.get('records') ?? '';
	const record = query.get('record');
	return {
		kind: titleOfKind(kind) === undefined ? 'vendor' : kind,
		offset: wholeNumber(query.get('offset')) ?? 0,
		record: record === 'new' ? record : wholeNumber(record),
	};
}

/** @param part of the page that it leads to */
export function pageAddress({ kind, offset, record }: PageQuery, part: string): string {
	const query = new URLSearchParams({ records: kind });
	if (offset > 0) query.set('offset', String(offset));
	if (record !== undefined) query.set('record', String(record));
	return `/?${query.toString()}#${part}`;
}
