// Which records somebody looks at, as the query of the page's address says.
import { titleOfKind } from './recordKinds.mts';

export interface PageQuery {
	kind: string;
	/** How many records are skipped. */
	offset: number;
	/** The ID of the record that is being edited, or `new` for one that is being added. */
	record?: number | 'new';
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
	};
}

/** @param part the ID of the element that the address leads to */
export function pageAddress({ kind, offset, record }: PageQuery, part: string): string {
	const query = new URLSearchParams({ records: kind });
	if (offset > 0) query.set('offset', String(offset));
	if (record !== undefined) query.set('record', String(record));
	return `/?${query.toString()}#${part}`;
}
