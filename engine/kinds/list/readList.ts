// Reads a paged list: requests pages by `limit` and `offset` until it has the requested number of rows, or as many as
// `totalRows` says.
import type { IDataObject } from 'n8n-workflow';

import { is, type Content } from '../../response/evidence';
import { isStandIn, type FinalResponse } from '../../response/judge';
import { failureOf } from '../../response/responseFailure';
import type { ListOperation } from '../../area';
import { buildRequest } from '../../request/request';
import type { ItemValues } from '../../values/item';
import { maxHeavyRequests, outputOf, type JobServices, type Kind } from '../job';
import { ListPages } from './listPages';
import { pageContentOf } from './page';

/**
 * Requests one page.
 * @param stop aborts the try in progress and prevents further ones
 */
type FetchPage = (pageQuery: IDataObject, stop?: AbortSignal) => Promise<FinalResponse>;

/**
 * Reads all pages after the first: several are requested at once, and added in order. As soon as one fails, the others
 * are aborted.
 * @param maxParallelPages the maximum number of pages to request at once
 */
async function readFollowingPages(
	pages: ListPages,
	fetchPage: FetchPage,
	maxParallelPages: number,
) {
	const stop = new AbortController();
	const requested: Array<ReturnType<FetchPage>> = [];
	const { pageLength } = pages;
	try {
		do {
			while (requested.length < maxParallelPages) {
				const pageQuery = pages.nextQuery(requested.length);
				if (!pageQuery) break;
				requested.push(fetchPage(pageQuery, stop.signal));
			}
			// Promise.all() rejects as soon as one of them fails.
			await Promise.race([requested[0], Promise.all(requested)]);
			if (pages.add(await requested.shift()!)) return;
		} while (maxParallelPages === 1 || pages.pageLength === pageLength);
	} finally {
		stop.abort();
	}
	// The service's pages differ in length, so those requested ahead start at the wrong rows. From now on, each page is
	// requested only after the previous one has arrived.
	await readFollowingPages(pages, fetchPage, 1);
}

const adviceLowerPageSize =
	"Set 'Page Size' in the credential to the service's maximum; if you do not know it, halve the value until it is accepted. To read a list that takes no 'limit', use Agency Records Request with 'Get'.";

const adviceFilter =
	"Ask the service owner how a filter is written: the API documentation names only its operators eq, ne, ge, gt, le and lt. Or filter the rows after this node, with n8n's Filter node.";

/** Without items, n8n does not run the following nodes, and a user would look for a fault there. */
const noRowsHint =
	"The service has no rows for these filters and 'Offset': nothing is returned, and the next nodes do not run.";

/**
 * Reads the requested rows of a list.
 * @returns its pages; undefined if nothing was modified since the version whose ETag was sent
 * @throws Failure if the service does not send a list, or does not page as documented
 */
export async function readPages(
	services: JobServices,
	operation: ListOperation,
	{ path, query: listQuery, settings }: Pick<ItemValues, 'path' | 'query' | 'settings'>,
): Promise<ListPages | undefined> {
	const content: Content = {
		...pageContentOf(operation, settings),
		adviceOnRefusal(messages) {
			if (messages.some((words) => /^limit\b/i.test(words))) return adviceLowerPageSize;
			return listQuery.filter === undefined ? undefined : adviceFilter;
		},
	};
	const request = async (pageQuery: IDataObject, etag?: string, stop?: AbortSignal) => {
		const query = { ...settings.additionalFields, ...listQuery, ...pageQuery };
		const values = { path, query, settings: { ...settings, etag } };
		return await services.send(buildRequest(operation, values, content), stop);
	};
	const pages = new ListPages(operation, settings, services);
	// Only the first page is requested with the ETag: a 304 for a later page would omit that page's rows.
	const first = await request(pages.nextQuery()!, settings.etag);
	if (isStandIn(first.verdict.caseName)) return undefined;
	const fetchPage: FetchPage = async (pageQuery, stop) => {
		const response = await request(pageQuery, undefined, stop);
		if (!is.success(response) && !pages.refusesBeyondEnd(response)) throw failureOf(response);
		return response;
	};
	if (!pages.add(first)) await readFollowingPages(pages, fetchPage, services.maxParallelPages);
	return pages;
}

export const list: Kind<ListOperation> = {
	contentOf: pageContentOf,
	maxParallel: maxHeavyRequests,

	async run(task) {
		const { operation, jobs, hint, settle } = task;
		const { itemIndex, values } = jobs[0]!;
		const pages = await readPages(task, operation, values);
		for (const text of pages?.hints ?? []) hint(text);
		if (pages?.rows.length === 0) hint(noRowsHint);
		settle(itemIndex, pages?.rows ?? [outputOf(values, 'notModified')]);
	},
};
