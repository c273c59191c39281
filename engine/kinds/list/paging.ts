// How a service lets the pages of a list be requested. Another way is another file like offsetPaging.ts: collecting and
// checking the rows (listPages.ts) does not depend on it.
import type { IDataObject } from 'n8n-workflow';

import type { ListPage } from './page';

/** A way of paging; a place is whatever it needs to request a page, such as an offset or a link. */
export interface Paging<Place = unknown> {
	/** The place of the first page that is wanted. */
	readonly first: Place;
	/**
	 * @param limit the most rows that the page may have
	 * @returns the parameters that request the page at a place
	 */
	query(place: Place, limit: number): IDataObject;
	/**
	 * @param page the one at this place
	 * @returns the place of the page after it; undefined where there is no way to request one
	 */
	next(place: Place, page: ListPage): Place | undefined;
	/** The place so many rows after another; undefined where only a page tells the place of the next one. */
	ahead?(place: Place, rows: number): Place;
	/** How many rows at the beginning of the page at a place ended the page before it already. */
	repeatedRows?(place: Place, page: ListPage, previous: ListPage | undefined): number;
}

/** For a list that comes whole: the API spec names no parameters to request other pages. */
export const onePage: Paging = {
	first: 'all',
	query: () => ({}),
	next: () => undefined,
};
