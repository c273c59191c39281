// Reads a paged list: requests pages by `limit` and `offset` until as many rows are there as are wanted, or as
// `totalRows` says there are.
import type { IDataObject } from 'n8n-workflow';

import { isNotModified, requireSuccess } from '../../answer/answerData';
import type { ListOperation } from '../../area';
import { Failure } from '../../failure';
import { filterAdvice, queryToSend, type ListQuery } from '../../form/filter';
import { buildRequest } from '../../request/request';
import type { Answer } from '../../send/sendTypes';
import type { ItemValues } from '../../values/item';
import { PagePrefetch, type FetchPage } from './pagePrefetch';
import { notModifiedResults, type Job, type JobServices } from '../job';
import { shapedRows } from './shapedRows';
import { ListPages } from './listPages';

/**
 * Reads all pages after the first: several are requested at once, and added in their order.
 * @param maxParallelPages the most pages requested at once
 */
async function readFollowingPages(
	pages: ListPages,
	fetchPage: FetchPage,
	maxParallelPages: number,
): Promise<void> {
	const prefetch = new PagePrefetch(fetchPage);
	let maxRequested = maxParallelPages;
	let offset = pages.nextOffset;
	try {
		for (;;) {
			while (prefetch.count === 0 || (prefetch.count < maxRequested && offset < pages.endOffset)) {
				prefetch.request(offset);
				offset += pages.pageLength;
			}
			if (pages.add(await prefetch.takeNext())) return;
			if ((prefetch.nextOffset ?? offset) !== pages.nextOffset) {
				// The service cuts pages of unequal length, so the pages that were requested ahead begin at wrong rows.
				// From now on each page is requested when the one before it is there.
				prefetch.cancelAll();
				maxRequested = 1;
				offset = pages.nextOffset;
			}
		}
	} finally {
		prefetch.cancelAll();
	}
}

/** Words of the service that begin with a parameter of a list. */
const parameterNamed = /^(limit|filter|changesSince|showArchived)\b/i;

/** Adds to the refusal of a list which setting may fit: of pages and filters the interface says hardly anything. */
function withListAdvice(error: unknown, { filterBy = 'none' }: ListQuery): unknown {
	if (!(error instanceof Failure)) return error;
	const { status, serviceWords = [] } = error.details;
	const names = (parameter: RegExp) => serviceWords.some((words) => parameter.test(words));
	// Some services refuse with the status of a success, and then only their words tell what they refuse.
	if (status !== 400 && !(status === 200 && names(parameterNamed))) return error;
	const namesLimit = names(/^limit\b/i);
	const advice = namesLimit
		? "Lower 'Page Size' in the credential to what the service gives at most."
		: filterAdvice[filterBy];
	return advice ? new Failure(error.message, error.outcome, { ...error.details, advice }) : error;
}

/**
 * The hint for an empty list. n8n does not run the following nodes when there are no items, and without the hint
 * a user would look for a fault there.
 */
function noRowsHint(query: ListQuery, offset: number): string {
	const isFiltered = Object.keys(query).some((name) => name !== 'filterBy');
	const matching = isFiltered ? ' that match the filters' : '';
	const beyond = offset > 0 ? ` beyond the first ${offset}` : '';
	return `The service has no rows${matching}${beyond}: nothing is returned.`;
}

/**
 * Reads the wanted rows of a list.
 * @returns its pages; or the answer with status 304, which says that nothing was modified
 * @throws Failure when the service does not give a list, or does not page as its interface says
 */
export async function readPages(
	{ send, maxParallelPages, hint, conventions }: JobServices,
	operation: ListOperation,
	values: Pick<ItemValues, 'path' | 'query' | 'settings'>,
): Promise<ListPages | Answer> {
	const { settings } = values;
	const { offset: firstOffset, returnAll, limit } = settings;
	const { pageSize } = conventions;
	const filters = queryToSend(values.query, operation.columns, conventions);
	const wantedRows = { offset: firstOffset, limit: returnAll ? Infinity : limit, pageSize };
	const pages = new ListPages(operation, wantedRows, hint);
	if (conventions.offsetBase === '1') pages.firstOffset = 1;
	const fetchPage = async (offset: number, stop?: AbortSignal): Promise<Answer> => {
		const paging = {
			limit: pages.limitAt(offset),
			...(offset > 0 && { offset: offset + pages.firstOffset }),
		};
		const query = operation.paged ? { ...filters, ...paging } : {};
		const answer = await send(buildRequest(operation, { ...values, query }), stop);
		return pages.isRefusedBeyondEnd(answer) ? answer : requireSuccess(answer, operation);
	};
	let isComplete: boolean;
	try {
		const firstAnswer = await fetchPage(firstOffset);
		if (isNotModified(firstAnswer)) return firstAnswer;
		isComplete = pages.add(firstAnswer);
	} catch (error) {
		throw withListAdvice(error, values.query);
	}
	if (!isComplete) await readFollowingPages(pages, fetchPage, maxParallelPages);
	return pages;
}

/** Runs a list operation for one item. */
export async function readList(
	services: JobServices,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const pages = await readPages(services, operation, values);
	if (!(pages instanceof ListPages)) return notModifiedResults(pages, values);
	const { query, settings } = values;
	for (const text of pages.hints) services.hint(text);
	if (pages.rows.length === 0) services.hint(noRowsHint(query, settings.offset));
	return shapedRows(pages.rows, settings);
}
