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
import { notModifiedResult, type Job, type JobServices } from '../job';
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
	try {
		for (;;) {
			const { pageLength } = pages;
			let offset = pages.nextOffset + prefetch.count * pageLength;
			while (prefetch.count === 0 || (prefetch.count < maxRequested && offset < pages.endOffset)) {
				prefetch.request(offset);
				offset += pageLength;
			}
			if (pages.add(await prefetch.takeNext())) return;
			if (pages.pageLength !== pageLength) {
				// The service cuts pages of unequal length, so the pages that were requested ahead begin at wrong rows.
				// From now on each page is requested when the one before it is there.
				prefetch.cancelAll();
				maxRequested = 1;
			}
		}
	} finally {
		prefetch.cancelAll();
	}
}

/** Words of the service that begin with a parameter of a list. */
const parameterNamed = /^(limit|filter|changesSince|showArchived)\b/i;

const adviceLowerPageSize =
	"Set 'Page Size' in the credential to what the service gives at most. Agency Records Check finds it out.";

/** Adds to the refusal of a list which setting may fit: of pages and filters the interface says hardly anything. */
function withListAdvice(error: unknown, { filterBy = 'none' }: ListQuery): unknown {
	if (!(error instanceof Failure)) return error;
	const { status, serviceWords = [] } = error.details;
	const names = (parameter: RegExp) => serviceWords.some((words) => parameter.test(words));
	// Some services refuse with the status of a success, and then only their words tell what they refuse.
	if (status !== 400 && !(status === 200 && names(parameterNamed))) return error;
	const advice = names(/^limit\b/i) ? adviceLowerPageSize : filterAdvice[filterBy];
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
	services: JobServices,
	operation: ListOperation,
	values: Pick<ItemValues, 'path' | 'query' | 'settings'>,
): Promise<ListPages | Answer> {
	const filters = queryToSend(values.query, operation.columns, services.conventions);
	const pages = new ListPages(operation, values.settings, services);
	const fetchPage = async (offset: number, stop?: AbortSignal): Promise<Answer> => {
		const query = { ...values.settings.additionalFields, ...filters, ...pages.pageQuery(offset) };
		const answer = await services.send(buildRequest(operation, { ...values, query }), stop);
		return pages.isRefusedBeyondEnd(answer) ? answer : requireSuccess(answer);
	};
	let isComplete: boolean;
	try {
		const firstAnswer = await fetchPage(pages.nextOffset);
		if (isNotModified(firstAnswer)) return firstAnswer;
		isComplete = pages.add(firstAnswer);
	} catch (error) {
		throw withListAdvice(error, values.query);
	}
	if (!isComplete) await readFollowingPages(pages, fetchPage, services.maxParallelPages);
	return pages;
}

/** Runs a list operation for one item. */
export async function readList(
	services: JobServices,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const pages = await readPages(services, operation, values);
	if (!(pages instanceof ListPages)) return [notModifiedResult(pages, values)];
	for (const text of pages.hints) services.hint(text);
	const { rows } = pages;
	if (rows.length === 0) services.hint(noRowsHint(values.query, values.settings.offset));
	return rows;
}
