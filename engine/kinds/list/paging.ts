// How a service lets the pages of a list be requested. Another way is another file like offsetPaging.ts: collecting the
// rows (listPages.ts) and judging the pages (pageRules.ts) do not depend on it.
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../answer/evidence';
import type { ListPage } from './page';

/** A way of paging; a place is whatever it needs to request a page, such as an offset or a link. */
export interface Paging<Place = unknown> {
	/**
	 * @param read reads a page that is not collected, where one has to show what the places mean
	 * @returns the place of the first page that is wanted
	 */
	first(read: (query: IDataObject) => Promise<ListPage>): Promise<Place>;
	/**
	 * @param limit the most rows that the page may have
	 * @returns the parameters that request the page at a place
	 */
	query(place: Place, limit: number): IDataObject;
	/**
	 * @param page the one at this place
	 * @returns the place of the page after it; undefined where there is no way to request one
	 */
	next(place: Place, page: ListPage, answer: Answer): Place | undefined;
	/** The place so many rows after another; undefined where only a page tells the place of the next one. */
	ahead?(place: Place, rows: number): Place;
	/** How many rows at the beginning of the page at a place ended the page before it already. */
	repeatedRows?(place: Place, previous: ListPage, page: ListPage): number;
}

/** For a list that comes whole: the API spec names no parameters to request other pages. */
export const onePage: Paging = {
	first: () => Promise.resolve('all'),
	query: () => ({}),
	next: () => undefined,
};
