// The part of the page that a person looks at, from the query of its address.
import { titleOfKind } from '../areas.mts';

export interface View {
	kind: string;
	/** Text that the records shown contain; '' shows all. */
	search: string;
	/** The number of skipped records. */
	offset: number;
	/** The ID of the record that is being edited, or `new`. */
	record?: number | 'new';
	/** The number of the request that is open. */
	request?: number;
}

const wholeNumber = (text: string | null): number | undefined =>
	text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** An unreadable value counts as not given. */
export function viewOf(query: URLSearchParams): View {
	const kind = query.get('records') ?? '';
	const record = query.get('record');
	return {
		kind: titleOfKind(kind) === undefined ? 'vendor' : kind,
		search: query.get('search') ?? '',
		offset: wholeNumber(query.get('offset')) ?? 0,
		record: record === 'new' ? record : wholeNumber(record),
		request: wholeNumber(query.get('request')),
	};
}

/** @param part the ID of the element to scroll to */
export function addressOf(
	{ kind, ...view }: Partial<View> & { kind: string },
	part: string,
): string {
	const given = Object.entries(view).filter(([, value]) => Boolean(value));
	const query = new URLSearchParams({
		records: kind,
		...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
	});
	return `/?${query.toString()}#${part}`;
}
